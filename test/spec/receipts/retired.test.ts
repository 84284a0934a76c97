import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { weekFiles } from '../../../src/adapters/archive/week-files.ts';
import { retireReceipts } from '../../../src/flows/operate/retire-receipts.ts';
import { receiptFiles } from '../../../src/main/commands/archive/receipt-files.ts';
import { callTool, rpc } from '../../support/mcp/mcp-asking.ts';
import { BASE_URL, NOON, startService, type TestService } from '../../support/running/running-service.ts';

const CHECK = '/v1/products/endpoint-spot-check?mode=dry-run&url=http%3A%2F%2Fseller.example%2Fhonest';
const ARCHIVE_URL = 'https://archive.example.org';
const PAGE = { accept: 'text/html' };

describe('a receipt whose week was retired', () => {
  let service: TestService;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-archive-'));
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const retired = async (settings: Record<string, string> = {}) => {
    service = await startService({ settings });
    const id: string = (await service.ask(CHECK)).json.receipt_id;
    await service.logKeeper.round();
    const served = new Map<string, string>();
    for (const name of ['.json', '/statement', '/proof', '/proof.tlog-proof'])
      served.set(name, (await service.ask(`/v1/receipts/${id}${name}`)).text);
    const { store } = service;
    await retireReceipts(new Date('2026-11-16T00:00:00.000Z'), {
      ...{ weeks: store.receiptWeeks, withdrawals: store.withdrawals, archive: weekFiles(folder) },
      files: receiptFiles(store, folder, BASE_URL),
      onWeek: () => {},
      keepHold: async () => {},
    });
    // Rendered receipts are kept until something changes.
    await store.withdrawals.withdraw((await service.ask(CHECK)).json.receipt_id, 'error', NOON);
    service.clock.now = new Date(NOON.getTime() + 5_000);
    return { id, served };
  };

  it('is 410 with a code of its own; the log goes on to have it', async () => {
    const { id } = await retired();
    for (const name of ['', '.json', '/statement', '/proof', '/proof.tlog-proof', '.png']) {
      const { status, json } = await service.ask(`/v1/receipts/${id}${name}`);
      expect([name, status, json.code]).toEqual([name, 410, 'retired']);
    }
    const page = await service.ask(`/v1/receipts/${id}`, { headers: PAGE });
    expect([page.status, page.text]).toEqual([
      410,
      expect.stringContaining('This receipt is in the archive'),
    ]);
    const unknown = await service.ask('/v1/receipts/sc-00000000000000aa');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
    const lines = (await service.ask('/log/statements/0')).text.trimEnd().split('\n');
    const stubs = lines.map((line) => JSON.parse(line)).filter((line) => line?.assay === 'retired/1');
    expect(stubs).toEqual([{ assay: 'retired/1', id, sha256: expect.stringMatching(/^[\w+/]{43}=$/) }]);
    expect(await service.store.transparencyLog.place(id)).toMatchObject({ tree: '1' });
  });

  it('leads to the archive where that has an address, and its files are what was served', async () => {
    const { id, served } = await retired({ ARCHIVE_URL });
    for (const [name, text] of served) {
      const answer = await service.ask(`/v1/receipts/${id}${name}`);
      expect([answer.status, answer.header('location')]).toEqual([
        308,
        `${ARCHIVE_URL}/v1/receipts/${id}${name}`,
      ]);
      expect(await readFile(join(folder, `v1/receipts/${id}${name}`), 'utf8')).toBe(text);
    }
    for (const headers of [{}, PAGE]) {
      const { status, header } = await service.ask(`/v1/receipts/${id}`, { headers });
      expect([status, header('location')]).toEqual([308, `${ARCHIVE_URL}/v1/receipts/${id}.json`]);
    }
    expect((await service.ask(`/v1/receipts/${id}.png`)).status).toBe(410);
  });

  it('has its files also if a run without them archived it and was killed before it removed anything', async () => {
    service = await startService();
    const id: string = (await service.ask(CHECK)).json.receipt_id;
    await service.logKeeper.round();
    const { store } = service;
    const before = new Date('2026-11-16T00:00:00.000Z');
    const ports = {
      ...{ weeks: store.receiptWeeks, withdrawals: store.withdrawals, archive: weekFiles(folder) },
      ...{ onWeek: () => {}, keepHold: async () => {} },
    };
    const killed = () => Promise.reject(new Error('killed'));
    const weeks = { ...store.receiptWeeks, drop: killed, remove: killed };
    await expect(retireReceipts(before, { ...ports, weeks })).rejects.toThrow('killed');
    await retireReceipts(before, { ...ports, files: receiptFiles(store, folder, BASE_URL) });
    for (const name of ['.json', '/statement', '/proof'])
      expect(await readFile(join(folder, `v1/receipts/${id}${name}`), 'utf8')).not.toBe('');
  });

  it('has no files once it is withdrawn, also if the run that wrote them was killed', async () => {
    service = await startService();
    const id: string = (await service.ask(CHECK)).json.receipt_id;
    await service.logKeeper.round();
    const { store } = service;
    const files = receiptFiles(store, folder, BASE_URL);
    const checkedAt = NOON;
    await files.write({ id, mode: 'dry-run', checkedAt, body: (await store.receipts.statement(id)) ?? '' });
    await store.withdrawals.withdraw(id, 'secret', NOON);
    await retireReceipts(new Date('2026-11-16T00:00:00.000Z'), {
      ...{ weeks: store.receiptWeeks, withdrawals: store.withdrawals, archive: weekFiles(folder), files },
      ...{ onWeek: () => {}, keepHold: async () => {} },
    });
    expect(await readdir(join(folder, 'v1/receipts'))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['nowhere public', {}, 'This receipt was archived.'],
    ['at an address', { ARCHIVE_URL }, 'This receipt was archived; it is at ARCHIVED.'],
  ])('is an error of the tool, and no resource, where the archive is %s', async (_, settings, detail) => {
    const { id } = await retired(settings);
    const { isError, structuredContent } = await callTool(service.ask, 'get_receipt', { arguments: { id } });
    const archived = detail.replace('ARCHIVED', `${ARCHIVE_URL}/v1/receipts/${id}.json`);
    expect([isError, structuredContent]).toEqual([
      true,
      expect.objectContaining({ status: 410, code: 'retired', detail: archived }),
    ]);
    const uri = `assay://receipts/${id}`;
    const { json } = await rpc(service.ask, 'resources/read', { params: { uri } });
    expect(json.error).toMatchObject({ message: `Resource not found: ${uri}`, data: { uri } });
    expect(service.faults).toEqual([]);
  });

  it('is withdrawn rather than retired once it is withdrawn', async () => {
    const { id } = await retired({ ARCHIVE_URL });
    await service.store.withdrawals.withdraw(id, 'legal', NOON);
    const { status, json } = await service.ask(`/v1/receipts/${id}/statement`);
    expect([status, json.code]).toEqual([410, 'withdrawn']);
  });
});
