import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { type Server, startServer } from '../../../../tools/store-server.ts';

/** Enough for something to be under way when the server dies. */
const ACKNOWLEDGED = 200;
const LANES = 8;

describe('a PostgreSQL server', () => {
  let server: Server;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('that is killed has everything that it had acknowledged when it is back (G55)', async ({ skip }) => {
    const { url, crash } = server;
    if (crash === null) return skip('the server is not ours to kill');
    const store = await openPostgres({ url });
    const acknowledged: string[] = [];
    const state = { isBack: false };
    // One that was only about to connect waits for the server and goes on.
    const writeUntilItFails = async (lane: number) => {
      for (let n = lane; !state.isBack; n += LANES) {
        const id = receiptId(n);
        await store.receipts.add(aReceipt({ id }), 'key');
        acknowledged.push(id);
      }
    };
    const lanes = Promise.allSettled(Array.from({ length: LANES }, (_, lane) => writeUntilItFails(lane)));
    while (acknowledged.length < ACKNOWLEDGED) await wait(1);
    await crash();
    state.isBack = true;
    await lanes;
    for (const id of acknowledged) expect(await store.receipts.byId(id)).toMatchObject({ id });
    await store.receipts.add(aReceipt({ id: receiptId(99_999) }), 'key');
    await store.close();
  });
});
