import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckpoint } from '../../../src/core/log/open-checkpoint.ts';
import { type Policy, parsePolicy } from '../../../src/core/log/policy.ts';
import { parseProofFile } from '../../../src/core/log/proof-file.ts';
import { hashLeaf } from '../../../src/core/log/tree-hash.ts';
import { isIncluded } from '../../../src/core/log/verify-proof.ts';
import { receiptEntry } from '../../../src/core/statement/statement-hash.ts';
import { NOON, startService, type TestService } from '../../support/running/running-service.ts';

const CHECK = '/v1/products/endpoint-spot-check?mode=dry-run&url=http%3A%2F%2Fseller.example%2Fhonest';

describe('the proof of a receipt', () => {
  let service: TestService;
  let policy: Policy;
  beforeAll(async () => {
    service = await startService();
    const read = parsePolicy((await service.ask('/log/policy')).text);
    if ('fault' in read) throw new Error(read.fault);
    policy = read;
  });
  afterAll(() => service.close());
  const checked = async (): Promise<string> => (await service.ask(CHECK)).json.receipt_id;

  it('is not there before the receipt has its place', async () => {
    const answer = await service.ask(`/v1/receipts/${await checked()}/proof`);
    expect([answer.status, answer.json.code, answer.header('retry-after')]).toEqual([
      404,
      'not_logged_yet',
      '2',
    ]);
  });

  it('verifies with the policy and the statement alone, for every receipt of a growing log', async () => {
    for (let round = 0; round < 3; round += 1) {
      const ids = [await checked(), await checked(), await checked()];
      await service.logKeeper.round();
      for (const id of ids) {
        const { json } = await service.ask(`/v1/receipts/${id}/proof`);
        const statement = Buffer.from(json.statement, 'base64').toString();
        expect(statement).toBe((await service.ask(`/v1/receipts/${id}/statement`)).text);
        const file = parseProofFile(json.proof);
        const opened = file === null ? 'malformed' : openCheckpoint(file.checkpoint, policy);
        if (file === null || typeof opened === 'string') throw new Error('a proof has a checkpoint');
        const leaf = hashLeaf(Buffer.from(receiptEntry(id, statement)));
        expect(isIncluded({ ...file, ...opened.head, leaf })).toBe(true);
        expect((await service.ask(`/v1/receipts/${id}/proof.tlog-proof`)).text).toBe(json.proof);
      }
    }
  });

  it('is gone with a withdrawn receipt, everywhere, also from what was rendered before', async () => {
    const id = await checked();
    await service.logKeeper.round();
    const paths = ['', '/statement', '/proof', '/proof.tlog-proof', '.json'];
    for (const path of paths) expect((await service.ask(`/v1/receipts/${id}${path}`)).status).toBe(200);
    const { sha256 } = (await service.store.withdrawals.withdraw(id, 'secret', NOON)) ?? {};
    service.clock.now = new Date(service.clock.now.getTime() + 2_000);
    for (const path of paths) {
      const { status, json, text } = await service.ask(`/v1/receipts/${id}${path}`);
      expect([path, status, json.code]).toEqual([path, 410, 'withdrawn']);
      const at = NOON.toISOString();
      expect(json.withdrawal).toEqual({ assay: 'withdrawn/1', at, because: 'secret', id, sha256 });
      expect(text).not.toContain('seller.example');
    }
  });

  it('has the statements of a bundle in the order of its entries, with stubs for withdrawn ones', async () => {
    await service.logKeeper.round();
    const { text, header } = await service.ask('/log/statements/0');
    expect(header('content-type')).toBe('application/x-ndjson; charset=utf-8');
    // It grows as the checkpoint does.
    expect(header('cache-control')).toBe('public, max-age=2');
    const entries = await service.store.transparencyLog.entries('1', 0, 256);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(entries.length);
    const kinds = lines.map((line) => JSON.parse(line)?.assay ?? null);
    expect(new Set(kinds)).toEqual(new Set(['receipt/1', 'withdrawn/1', null]));
    for (const [at, line] of lines.entries()) {
      if (kinds[at] !== 'receipt/1') continue;
      expect(receiptEntry(JSON.parse(line).id, line)).toBe(entries[at]?.entry);
    }
    expect((await service.ask('/log/statements/1')).status).toBe(404);
    expect((await service.ask('/log/statements/00')).status).toBe(404);
  });
});
