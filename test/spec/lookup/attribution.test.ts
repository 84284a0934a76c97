import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { startBackgroundJobs } from '../../../src/main/serve/background-jobs.ts';
import type { AuthorizationLog, Facilitator } from '../../../src/ports/facilitator.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { paymentHeader, signAuthorization } from '../../../tools/signed-payment.ts';
import { EXEMPT, LOOKUP, LOOKUP_PAID, useService } from '../../support/asking.ts';
import { intervalPause } from '../../support/running/interval-pause.ts';
import { DOORS, freshAddress, NOON, startService, WALLET } from '../../support/running/running-service.ts';

const PAYER = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const KEY = `0x${'11'.repeat(32)}` as const;
/** Whoever signs with it has no money left when it is to be taken. */
const POOR_KEY = `0x${'22'.repeat(32)}` as const;
const POOR = privateKeyToAccount(POOR_KEY).address.toLowerCase();
const TX = `0x${'ab'.repeat(32)}`;
const SHARED_URL = 'https://weather.example.com/v1/now';

const INDEX = buildTaskIndex([
  aService(),
  aService({ id: 'other-weather', endpoint: SHARED_URL }),
  aService({ id: 'search-one', tasks: ['web-search'], endpoint: 'https://search.example.com/q' }),
]);

const FACILITATOR: Facilitator = {
  verify: async () => ({ kind: 'valid', payer: PAYER }),
  settle: async ({ authorization: { from } }) =>
    from.toLowerCase() === POOR
      ? { kind: 'refused', reason: 'insufficient_funds' }
      : { kind: 'settled', tx: TX, payer: PAYER },
};

const paid = async (value = 20_000n, key: `0x${string}` = KEY) => {
  const noon = NOON.getTime() / 1_000;
  const times = { validAfter: noon - 600, validBefore: noon + 300 };
  return paymentHeader(await signAuthorization({ key, to: WALLET, value, ...times }));
};

describe.each(DOORS)('what is recorded of lookups, through the %s', (door) => {
  const authorizationLog: AuthorizationLog = {
    useOf: async () => ({ kind: 'unused', asOf: NOON }),
  };
  const service = useService({ door, world: { index: INDEX, facilitator: FACILITATOR, authorizationLog } });
  /** What came to the table through one request, in pairs of name and value. */
  const recordedBy = async (path: string, sent = {}): Promise<string[]> => {
    const counts = async () => {
      await service.store.attribution.flush();
      const since = new Date('2026-11-15T00:00:00.000Z');
      const subjects = await service.store.attribution.subjects(since, 999);
      const described = await Promise.all(
        (['client', 'ref', 'payer'] as const).map(async (by) =>
          (await service.store.attribution.tally(by, since, 999)).map(
            ({ name, lookups }) => [`${by}=${name}`, lookups] as const,
          ),
        ),
      );
      return new Map([
        ...subjects.map(({ subject, lookups }) => [`${subject.kind}=${subject.name}`, lookups] as const),
        ...described.flat(),
      ]);
    };
    const before = await counts();
    await service.ask(path, sent);
    return [...(await counts())]
      .filter(([name, n]) => n === (before.get(name) ?? 0) + 1)
      .map(([name]) => name);
  };
  const nobody = ['client=null', 'ref=null', 'payer=null'];

  it.each<[string, string, string[]]>([
    ['a task, when nothing else was said', 'task=weather', ['task=weather', ...nobody]],
    ['a task as it is understood', 'task=Web%20Search', ['task=web-search', ...nobody]],
    ['a task that nobody has', 'task=llama-grooming', ['task=llama-grooming', ...nobody]],
    ['a service by its id', 'endpoint=search-one', ['endpoint=search-one', ...nobody]],
    ['a service by its URL', 'endpoint=https://search.example.com:443/q', ['endpoint=search-one', ...nobody]],
    ['one of those that share a URL', `endpoint=${SHARED_URL}`, ['endpoint=other-weather', ...nobody]],
    [
      'no URL that is not in the catalog',
      'endpoint=https://secret.example/?key=hunter2',
      ['endpoint=null', ...nobody],
    ],
    ['an endpoint before a task', 'task=weather&endpoint=search-one', ['endpoint=search-one', ...nobody]],
    [
      'client, ref and payer, in lower case',
      `task=weather&client=My-Agent&ref=Spring&payer=${PAYER}`,
      ['task=weather', 'client=my-agent', 'ref=spring', `payer=${PAYER.toLowerCase()}`],
    ],
    ['a ref alone', 'task=weather&ref=autumn', ['task=weather', 'client=null', 'ref=autumn', 'payer=null']],
  ])('%s', async (_, query, recorded) => {
    expect((await recordedBy(`${LOOKUP}?${query}`)).sort()).toEqual(recorded.sort());
  });

  it('a paid lookup once, however often its payment is sent', async () => {
    const sent = { headers: { 'payment-signature': await paid() }, from: freshAddress() };
    const path = `${LOOKUP_PAID}?task=weather&ref=bought`;
    const recorded = ['task=weather', 'client=null', 'ref=bought', 'payer=null'].sort();
    expect((await recordedBy(path, sent)).sort()).toEqual(recorded);
    expect(await recordedBy(path, sent)).toEqual([]);
    expect((await service.ask(path, sent)).json.access.tier).toBe('paid');
  });

  it('a lookup that is paid after the free ones', async () => {
    const from = freshAddress();
    for (let n = 0; n < 5; n += 1) await service.ask(`${LOOKUP}?task=weather`, { from });
    expect(await recordedBy(`${LOOKUP}?task=weather&ref=sixth`, { from })).toEqual([]);
    const headers = { 'payment-signature': await paid() };
    expect(await recordedBy(`${LOOKUP}?task=weather&ref=sixth`, { from, headers })).toContain('ref=sixth');
  });

  it.each<[string, string, object]>([
    ['a mistake', `${LOOKUP}?task=weather&ref=a&n=0`, {}],
    ['a look at the headers', `${LOOKUP}?task=weather&ref=a`, { method: 'HEAD' }],
    ['a price', `${LOOKUP_PAID}?task=weather&ref=a`, {}],
    ['our own test of ourselves', `${LOOKUP}?task=weather&ref=a`, { headers: EXEMPT }],
    ['another path', '/v1/tasks?task=weather&ref=a', {}],
  ])('nothing for %s', async (_, path, sent) => {
    expect(await recordedBy(path, sent)).toEqual([]);
  });

  it.each<[string, bigint, `0x${string}`]>([
    ['of too little', 19_999n, KEY],
    ['that is refused only when it is taken', 20_000n, POOR_KEY],
  ])('nothing for a payment %s', async (_, value, key) => {
    const headers = { 'payment-signature': await paid(value, key) };
    const path = `${LOOKUP_PAID}?task=weather&ref=a`;
    expect(await recordedBy(path, { headers })).toEqual([]);
    expect((await service.ask(path, { headers })).status).toBe(402);
  });

  it('and no answer shows or depends on it', async () => {
    const plain = await service.ask(`${LOOKUP}?task=weather`);
    const said = await service.ask(
      `${LOOKUP}?task=weather&client=secret-agent&ref=secret-ref&payer=${PAYER}`,
    );
    expect(said.text).toBe(plain.text);
    await service.store.attribution.flush();
    for (const path of [
      '/v1/services/search-one',
      '/v1/tasks',
      '/v1/receipts',
      '/v1/skips.json',
      '/openapi.json',
    ]) {
      const { text } = await service.ask(path);
      for (const word of ['secret-agent', 'secret-ref', PAYER.toLowerCase()])
        expect(text).not.toContain(word);
    }
  });
});

it('a lookup is answered although nothing can be recorded', async () => {
  const service = await startService();
  await service.place.ask('drop table lookup_counts');
  expect((await service.ask('/v1/lookup?task=weather&ref=a')).status).toBe(200);
  expect(service.faults).toEqual([]);
  await service.close();
});

describe('what was noted is written', () => {
  afterEach(() => vi.useRealTimers());

  const startJobs = async () => {
    const service = await startService();
    const logged: unknown[] = [];
    const note = (fields: unknown) => {
      logged.push(fields);
    };
    const world = {
      store: service.store,
      facilitator: FACILITATOR,
      authorizationLog: { useOf: async () => ({ kind: 'unavailable' }) as const },
      now: () => NOON,
      onFault: (_: string, fault: unknown) => note({ fault }),
    };
    const log = { info: note, error: note };
    const jobs = startBackgroundJobs({
      watch: async () => null,
      logKeeper: { round: async () => {}, stop: async () => {}, promise: () => null, state: () => 'ok' },
      ...world,
      log,
      pause: intervalPause,
    });
    const written = () => service.store.attribution.total(NOON);
    return { service, jobs, written, logged };
  };

  it('once a second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { service, jobs, written, logged } = await startJobs();
    for (const expected of [1, 2]) {
      await service.ask('/v1/lookup?task=weather');
      vi.advanceTimersByTime(999);
      expect(await written()).toBe(expected - 1);
      vi.advanceTimersByTime(1);
      await expect.poll(written).toBe(expected);
    }
    await jobs.stop();
    await service.close();
    expect(logged).toEqual([]);
  });

  it('when the service stops', async () => {
    const { service, jobs, written } = await startJobs();
    await service.ask('/v1/lookup?task=weather');
    await jobs.stop();
    expect(await written()).toBe(1);
    await service.close();
  });

  it('and what cannot be written is a line in the log, and no reason not to stop', async () => {
    const { service, jobs, logged } = await startJobs();
    await service.place.ask('drop table lookup_counts');
    await service.ask('/v1/lookup?task=weather');
    await jobs.stop();
    expect(logged).toEqual([{ fault: expect.stringContaining('lookup_counts') }]);
    await service.close();
  });

  it('and forgotten after 400 days', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { service, jobs } = await startJobs();
    const lookup = {
      subject: { kind: 'task', name: 'weather' },
      client: null,
      ref: null,
      payer: null,
    } as const;
    for (const day of ['2025-10-10', '2025-10-11']) service.store.attribution.note(lookup, new Date(day));
    await service.store.attribution.flush();
    vi.advanceTimersByTime(60_000);
    const days = () => service.place.ask('select day from lookup_counts');
    await expect.poll(days).toEqual([{ day: '2025-10-11' }]);
    await jobs.stop();
    await service.close();
  });
});
