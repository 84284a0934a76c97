import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Runtime } from '../../../src/main/build/build-app.ts';
import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { paymentHeader, signAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf } from '../../support/asking.ts';
import { httpAnswer } from '../../support/probing/fake-seller.ts';
import {
  freshAddress,
  NOON,
  type Received,
  type ServiceOptions,
  startService,
  type TestService,
  WALLET,
} from '../../support/running/running-service.ts';
import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';

const ATTACKER = '198.51.100.66';
const TRIES = 100;
const times = <T>(count: number, act: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => act(n));

/** Answers no question about a payment until it is told to. */
function silentFacilitator() {
  const waiting: (() => void)[] = [];
  const state = { asked: 0, isReleased: false };
  const facilitator: Runtime['facilitator'] = {
    async verify() {
      state.asked += 1;
      if (!state.isReleased) await new Promise<void>((resolve) => waiting.push(resolve));
      return { kind: 'unavailable' };
    },
    settle: async () => ({ kind: 'unknown' }),
  };
  const release = () => {
    state.isReleased = true;
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { facilitator, release, asked: () => state.asked };
}

async function aSignedHeader(): Promise<string> {
  const noon = NOON.getTime() / 1_000;
  const signed = await signAuthorization({
    key: `0x${'11'.repeat(32)}`,
    to: WALLET,
    value: 20_000n,
    validAfter: noon - 600,
    validBefore: noon + 300,
  });
  return paymentHeader(signed);
}

async function garbageHeaders(count: number): Promise<string[]> {
  const good = Buffer.from(await aSignedHeader(), 'base64').toString();
  const document = JSON.parse(good);
  return times(count, (n) => {
    document.payload.signature = `0x${'22'.repeat(64)}1b`;
    document.payload.authorization.nonce = `0x${n.toString(16).padStart(64, '0')}`;
    return Buffer.from(JSON.stringify(document)).toString('base64');
  });
}

/** A 402 of 64 entries, which takes 20 kB in the store. */
const HEAVY = httpAnswer(402, [
  header({
    x402Version: 2,
    accepts: times(64, (n) => ({ ...ENTRY, extra: { name: 'USD Coin', version: '2', n } })),
  }),
]);

const postgres = usePostgres();

describe.each([
  ['SQLite', newSqlitePlace],
  ['PostgreSQL', postgres],
])('while one address attacks a service on %s, others are served (G102)', (_, newPlace) => {
  const open: TestService[] = [];
  const start = async (options: ServiceOptions) => {
    const service = await startService({ place: await newPlace(), timeoutMs: 120_000, ...options });
    open.push(service);
    return service;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((service) => service.close()));
  });

  /** Somebody else, a hundred times: how often the tasks and a lookup come. */
  async function servedOthers({ ask }: TestService): Promise<number> {
    let served = 0;
    for (let n = 0; n < TRIES; n += 1) {
      const from = freshAddress();
      const [tasks, found] = await Promise.all([
        ask('/v1/tasks', { from }),
        ask('/v1/lookup?task=weather', { from }),
      ]);
      if (tasks.status === 200 && found.status === 200) served += 1;
    }
    return served;
  }

  const statusesOf = (answers: readonly Received[]) => new Set(answers.map(({ status }) => status));
  const allowed = new Set([200, 402, 429, 503]);
  const expectRefusals = (answers: readonly Received[], atLeast: number) => {
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(atLeast);
    expect([...statusesOf(answers)].filter((status) => !allowed.has(status))).toEqual([]);
  };

  it('12 slow URLs with 100 waiting checks each', async () => {
    const held: Socket[] = [];
    const service = await start({ seller: (socket) => held.push(socket) });
    const before = process.memoryUsage.rss();
    const attack = times(1_200, (n) =>
      service.ask(checkOf(`http://slow-${n % 12}.example/`, { mode: 'dry-run' }), { from: ATTACKER }),
    );
    expect(await servedOthers(service)).toBeGreaterThanOrEqual(99);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
    const release = setInterval(() => {
      for (const socket of held.splice(0)) socket.end(httpAnswer(503, []));
    }, 10);
    expectRefusals(await Promise.all(attack), 1_180);
    clearInterval(release);
  });

  it('1,100 copies of one payment', async () => {
    const { facilitator, release, asked } = silentFacilitator();
    const service = await start({ world: { facilitator } });
    const headers = { 'payment-signature': await aSignedHeader() };
    const attack = times(1_100, () =>
      service.ask('/v1/lookup/paid?task=weather', { from: ATTACKER, headers }),
    );
    expect(await servedOthers(service)).toBeGreaterThanOrEqual(99);
    release();
    expectRefusals(await Promise.all(attack), 1_080);
    expect(asked()).toBeLessThanOrEqual(20);
  });

  it('1,500 signatures that are garbage', async () => {
    const { facilitator, release, asked } = silentFacilitator();
    const service = await start({ world: { facilitator } });
    const garbage = await garbageHeaders(1_500);
    const attack = garbage.map((text) =>
      service.ask('/v1/lookup/paid?task=weather', { from: ATTACKER, headers: { 'payment-signature': text } }),
    );
    expect(await servedOthers(service)).toBeGreaterThanOrEqual(99);
    release();
    expectRefusals(await Promise.all(attack), 1_480);
    expect(asked()).toBeLessThanOrEqual(20);
  });

  it('the largest listing, in a loop', async () => {
    const service = await start({
      seller: (socket) => socket.end(HEAVY),
      settings: { PROBES_PER_HOST_MINUTE: '1000' },
    });
    for (let n = 0; n < 100; n += 1) {
      await service.ask(checkOf(`http://heavy-${n}.example/`, { mode: 'dry-run' }));
    }
    const over = { now: false };
    const loop = async (): Promise<Received[]> => {
      const answers: Received[] = [];
      while (!over.now) {
        answers.push(await service.ask('/v1/receipts?type=dry-run&limit=100', { from: ATTACKER }));
        // As on a socket: a refusal needs no store, and a loop of microtasks would be alone.
        await nextTurn();
      }
      return answers;
    };
    const attack = times(40, loop);
    expect(await servedOthers(service)).toBeGreaterThanOrEqual(99);
    over.now = true;
    const answers = (await Promise.all(attack)).flat();
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1_200);
    expectRefusals(answers, 1);
  });

  it('10,000 unpaid lookups, each with another ref', async () => {
    const service = await start({});
    const attack = times(10_000, (n) =>
      service.ask(`/v1/lookup${n % 2 === 0 ? '' : '/paid'}?task=weather&ref=ref-${n}`, { from: ATTACKER }),
    );
    expect(await servedOthers(service)).toBeGreaterThanOrEqual(99);
    expectRefusals(await Promise.all(attack), 8_800);
  });
});
