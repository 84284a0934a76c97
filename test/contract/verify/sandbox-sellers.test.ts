import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SELF_TEST_KEY } from '../../../src/main/sandbox/sandbox-service.ts';
import { type Sandbox, startSandbox } from '../../../src/main/sandbox/start.ts';
import { type FakeSeller, httpAnswer, startSeller } from '../../support/probing/fake-seller.ts';

const CHECK = '/v1/products/endpoint-spot-check';

let sandbox: Sandbox;
let allowed: FakeSeller;
let stranger: FakeSeller;
const faults: unknown[] = [];
const NOON = new Date('2026-11-15T12:00:00.000Z');
const clock = { now: NOON };

beforeAll(async () => {
  allowed = await startSeller((socket, request) => {
    const elsewhere = /^GET \/to\?(\S+)/.exec(request)?.[1];
    const location: [string, string][] = elsewhere === undefined ? [] : [['Location', elsewhere]];
    socket.end(httpAnswer(elsewhere === undefined ? 200 : 302, location));
  });
  stranger = await startSeller((socket) => socket.end(httpAnswer(200, [])));
  sandbox = await startSandbox({
    port: 0,
    allowed: [{ address: '127.0.0.1', port: allowed.port }],
    now: () => clock.now,
    onFault: (_, fault) => faults.push(fault),
  });
});
afterAll(async () => {
  await sandbox.stop();
  await Promise.all([allowed.close(), stranger.close()]);
  expect(faults).toEqual([]);
});

function urlOf(name: string): string {
  const found = sandbox.ecosystem.sellers.find((seller) => seller.name === name);
  if (found === undefined) throw new Error(`no seller has the name ${name}`);
  return found.url;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever an answer holds.
type Json = any;

async function read(url: string): Promise<Json> {
  return (await fetch(url)).json();
}

/** A check that counts for nobody and names the reason by its code. */
async function check(parameters: Readonly<Record<string, string>>): Promise<Json> {
  const response = await fetch(`${sandbox.addresses.baseUrl}${CHECK}?${new URLSearchParams(parameters)}`, {
    headers: { authorization: `Bearer ${SELF_TEST_KEY}` },
  });
  return response.json();
}

/** What the list of the sandbox claims about a seller, as the parameters of a check. */
async function claimsOf(name: string): Promise<Record<string, string>> {
  const { items } = await read(sandbox.ecosystem.discoveryLists['bazaar'] ?? '');
  const { resource, accepts, extensions } = items.find((item: Json) => item.resource === urlOf(name));
  const [{ amount, maxAmountRequired, network, payTo, outputSchema }] = accepts;
  return {
    url: resource,
    claimed_price: String(Number(amount ?? maxAmountRequired) / 1_000_000),
    network,
    pay_to: payTo,
    method: (extensions?.bazaar.info ?? outputSchema).input.method,
  };
}

describe('a seller does what its name promises, judged by what the list claims:', () => {
  const ROWS: [name: string, verdict: string, reason: string, quoted: number | null][] = [
    ['honest', 'pay', 'price_ok', 0.01],
    ['honest-v1', 'pay', 'price_ok', 0.01],
    ['honest-v2', 'pay', 'price_ok', 0.01],
    ['raised-price', 'skip', 'price_mismatch', 0.05],
    ['swapped-payee', 'skip', 'pay_to_mismatch', 0.01],
    ['wrong-network', 'skip', 'network_mismatch', 0.01],
    ['testnet', 'skip', 'network_unsupported', null],
    ['other-token', 'skip', 'asset_not_usdc', null],
    ['no-paywall', 'skip', 'no_paywall', null],
    ['free-trial', 'recheck', 'free_trial_active', null],
    ['slow', 'recheck', 'timeout', null],
    ['server-error', 'recheck', 'server_error', null],
    ['malformed', 'skip', 'bad_challenge', null],
    ['gone', 'recheck', 'unreachable', null],
    ['drifting', 'pay', 'price_ok', 0.01],
    ['currency', 'pay', 'price_ok', 0.02],
    ['hash', 'pay', 'price_ok', 0.01],
    ['factors', 'pay', 'price_ok', 0.03],
    ['junk', 'pay', 'price_ok', 0.01],
  ];

  it.each(ROWS)('%s: %s, %s', async (name, verdict, reason, quoted) => {
    expect(await check(await claimsOf(name))).toMatchObject({ verdict, reason, quoted_price_usd: quoted });
    const seller = sandbox.ecosystem.sellers.find((one) => one.name === name);
    expect(seller?.reason).toBe(reason);
  });

  it('all of them are in this table', () => {
    expect(sandbox.ecosystem.sellers.map(({ name }) => name)).toEqual(ROWS.map(([name]) => name));
  });

  it('the one that drifts asks for more once it has been known for ten seconds', async () => {
    clock.now = new Date('2026-11-15T12:00:09.000Z');
    expect(await check(await claimsOf('drifting'))).toMatchObject({ reason: 'price_ok' });
    // The answer before that is reused for half of its ten seconds.
    clock.now = new Date('2026-11-15T12:00:15.000Z');
    expect(await check(await claimsOf('drifting'))).toMatchObject({
      reason: 'price_mismatch',
      quoted_price_usd: 0.05,
    });
    clock.now = NOON;
  });

  it('the free trial says how many calls are left', async () => {
    expect(await check(await claimsOf('free-trial'))).toMatchObject({ free_trial_remaining: 3 });
  });

  it('each has an address of its own, so that none uses up the budget of another', () => {
    const hosts = sandbox.ecosystem.sellers.map(({ url }) => new URL(url).hostname);
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts[0]).toBe('127.0.1.1');
  });
});

describe('what the sandbox knocks at:', () => {
  it('a target that was allowed, and redirects to the same place', async () => {
    const place = `http://127.0.0.1:${allowed.port}`;
    expect(await check({ url: `${place}/plain` })).toMatchObject({ reason: 'no_paywall' });
    expect(await check({ url: `${place}/to?/landed` })).toMatchObject({ reason: 'no_paywall' });
    expect(allowed.requests.map((request) => request.split(' ')[1])).toEqual([
      '/plain',
      '/to?/landed',
      '/landed',
    ]);
  });

  it.each<[string, () => string]>([
    ['a port beside it', () => `http://127.0.0.1:${stranger.port}/`],
    ['an allowed port of another address', () => `http://127.0.0.2:${allowed.port}/`],
    ['the service itself', () => `${sandbox.addresses.baseUrl}/v1/tasks`],
    ['the service under another address', () => `${sandbox.addresses.altUrl}/v1/tasks`],
    ['the chain', () => sandbox.ecosystem.chain.rpcUrl],
    ['the facilitator', () => `${sandbox.ecosystem.facilitatorUrl}/supported`],
    ['a list', () => sandbox.ecosystem.discoveryLists['bazaar'] ?? ''],
    ['a name of this machine', () => `http://localhost:${allowed.port}/`],
    ['a name anywhere else', () => 'https://example.com/'],
    ['an address anywhere else', () => 'http://93.184.216.34/'],
  ])('not %s', async (_, url) => {
    expect(await check({ url: url() })).toMatchObject({ verdict: 'skip', reason: 'ssrf_blocked' });
    expect(stranger.requests).toEqual([]);
  });

  it('not a place that an allowed target sends it to', async () => {
    const place = `http://127.0.0.1:${allowed.port}`;
    const elsewhere = `http://127.0.0.1:${stranger.port}/`;
    expect(await check({ url: `${place}/to?${elsewhere}` })).toMatchObject({ reason: 'no_paywall' });
    expect(stranger.requests).toEqual([]);
  });
});
