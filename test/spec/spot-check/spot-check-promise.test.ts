import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNote } from '../../../src/core/log/note.ts';
import { parsePromise } from '../../../src/core/log/promise.ts';
import { FIRST, ORIGIN, testKeeper } from '../../support/log/test-log.ts';
import {
  NOON,
  SECRET,
  SELF_TEST_KEY,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';

const CHECK = '/v1/products/endpoint-spot-check?url=http%3A%2F%2Fseller.example%2Fhonest';

describe('the promise of a receipt', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const promised = (note: string) => {
    const { promiseSignerOf } = testKeeper(service.store.transparencyLog, { secret: SECRET });
    const opened = openNote(note, [promiseSignerOf(FIRST).key]);
    return typeof opened === 'string' ? opened : parsePromise(opened.text);
  };
  const statementHash = async (id: string) =>
    createHash('sha256')
      .update((await service.store.receipts.statement(id)) ?? '')
      .digest();

  it.each(['', '&mode=dry-run'])(
    'is in the header of a free answer, whose members are fixed (%s)',
    async (mode) => {
      const answer = await service.ask(CHECK + mode);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json)).not.toContain('receipt_promise');
      const id: string = answer.json.receipt_id;
      const sha256 = await statementHash(id);
      expect(answer.header('receipt-sha256')).toBe(sha256.toString('hex'));
      const note = Buffer.from(answer.header('receipt-promise') ?? '', 'base64').toString();
      const by = new Date(NOON.getTime() + 3_600_000);
      expect(promised(note)).toEqual({ origin: ORIGIN, id, sha256, by });
    },
  );

  it('is in the body of the paid shape', async () => {
    const { json } = await service.ask(CHECK, { headers: { authorization: `Bearer ${SELF_TEST_KEY}` } });
    const sha256 = await statementHash(json.receipt_id);
    expect(json.receipt_sha256).toBe(sha256.toString('hex'));
    expect(promised(json.receipt_promise)).toMatchObject({ id: json.receipt_id, sha256 });
  });

  it('is kept: the receipt has its place after one round', async () => {
    const { json } = await service.ask(CHECK);
    expect(await service.store.transparencyLog.place(json.receipt_id)).toBe('waiting');
    await service.logKeeper.round();
    expect(await service.store.transparencyLog.place(json.receipt_id)).toMatchObject({ tree: '1' });
  });

  it('is not given by a process that must not sign the log', async () => {
    const place = await newSqlitePlace();
    await testKeeper((await place.open()).transparencyLog, { secret: 'another' }).keeper.open();
    const other = await startService({ place });
    try {
      const answer = await other.ask(CHECK);
      expect(answer.header('receipt-sha256')).toMatch(/^[0-9a-f]{64}$/);
      expect(answer.header('receipt-promise')).toBeNull();
    } finally {
      await other.close();
    }
  });
});
