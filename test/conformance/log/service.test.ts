import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteKeyText } from '../../../src/core/log/note.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import { buildGoAuditor, type GoAuditor, missingForGoAuditor } from '../../support/log/go-auditor.ts';
import { entriesTo, FIRST } from '../../support/log/test-log.ts';
import { publishLogged, testRunLog } from '../../support/log/test-runs.ts';
import { SECRET, startService, type TestService } from '../../support/running/running-service.ts';
import { publishSnapshot } from '../../support/snapshot/snapshot-world.ts';

const CHECK = '/v1/products/endpoint-spot-check?url=http%3A%2F%2Fseller.example%2Fhonest';
const ROUNDS = 12;
const keys = logKeysOf({ key: null, oldKey: null }, SECRET);
const logKey = keys.signersOf(FIRST).map(({ key }) => noteKeyText(key))[0] ?? '';
const promiseKey = noteKeyText(keys.promiseSignerOf(FIRST).key);

const missing = missingForGoAuditor();
if (missing !== null) console.warn(`The auditor in Go is skipped: it needs ${missing}.`);

describe.skipIf(missing !== null)('the auditor in Go on the log of a service after a mixed load', () => {
  let auditor: GoAuditor;
  let service: TestService;
  let folder: string;
  const [checkpoints, promises, ids]: [string[], string[], string[]] = [[], [], []];

  beforeAll(async () => {
    auditor = await buildGoAuditor();
    folder = await mkdtemp(join(tmpdir(), 'assay-service-audit-'));
    service = await startService({ door: 'socket' });
    const { store, logKeeper: keeper } = service;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const mode of ['', '&mode=dry-run']) {
        const answer = await service.ask(CHECK + mode);
        ids.push(answer.json.receipt_id);
        promises.push(Buffer.from(answer.header('receipt-promise') ?? '', 'base64').toString());
      }
      await store.transparencyLog.add(entriesTo(70, 1_000 * (round + 1)));
      await keeper.round();
      checkpoints.push((await service.ask('/log/checkpoint')).text);
    }
    await publishLogged(store, '0123456789abcdef', 300, testRunLog(store, { secret: SECRET, keeper }));
    await publishSnapshot(service);
  });
  afterAll(async () => {
    await auditor?.remove();
    await service?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const audit = (...args: readonly string[]) =>
    auditor.audit(['-url', `${service.address}/log`, '-vkey', logKey, ...args]);
  const saved = async (name: string, texts: readonly string[]) => {
    const files = texts.map((_, nth) => join(folder, `${name}-${nth}`));
    for (const [nth, file] of files.entries()) await writeFile(file, texts[nth] ?? '');
    return files;
  };

  it('grew out of every checkpoint that a client was given', async () => {
    for (const old of await saved('old', checkpoints))
      expect(await audit('-old', old)).toMatchObject({ code: 0, line: expect.stringContaining('WELL') });
  });

  it('kept every promise that a check was answered with', async () => {
    const files = (await saved('promise', promises)).flatMap((file) => ['-promise', file]);
    expect(await audit('-promise-vkey', promiseKey, ...files)).toMatchObject({ code: 0 });
    const [first = ''] = promises;
    const [forged = ''] = await saved('forged', [first.replace(ids[0] ?? 'x', 'sc-ffffffffffffffff')]);
    expect(await audit('-promise-vkey', promiseKey, '-promise', forged)).toMatchObject({ code: 1 });
  });

  it('has the proofs that it serves', async () => {
    const asked = ids.map(async (id) => (await service.ask(`/v1/receipts/${id}/proof.tlog-proof`)).text);
    const files = (await saved('proof', await Promise.all(asked))).flatMap((file) => ['-proof', file]);
    expect(await audit(...files)).toMatchObject({ code: 0 });
    const [proof = ''] = await Promise.all(asked);
    const [moved = ''] = await saved('moved', [
      proof.replace(/index (\d+)/, (_, at) => `index ${Number(at) + 1}`),
    ]);
    expect(await audit('-proof', moved)).toMatchObject({ code: 1 });
  });
});
