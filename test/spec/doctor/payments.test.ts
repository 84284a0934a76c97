import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { type FacilitatorServer, startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { type LoopbackServer, serveLoopback } from '../../../src/sandbox/loopback-server.ts';
import { examined } from '../../support/operating/examining.ts';
import { buyerOf, chainOfTheFile, drain } from '../../support/paying/paying-chain.ts';

let chain: LocalChain;
let facilitator: FacilitatorServer;
const servers: LoopbackServer[] = [];

beforeAll(async () => {
  chain = await chainOfTheFile();
  facilitator = await startFacilitatorServer({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.gas.key });
});
afterAll(async () => {
  await Promise.all([facilitator.stop(), ...servers.map((server) => server.stop())]);
});

/** A shop on the chain of the sandbox. */
const look = (settings: NodeJS.ProcessEnv = {}, world = {}) =>
  examined(
    {
      PAY_TO: chain.accounts.seller.address,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_URL: facilitator.url,
      ...settings,
    },
    world,
  );
const settlingHere = (key: string) => ({ FACILITATOR_URL: '', GAS_KEY: key });

/** The chain with one method that answers something else. */
async function nodeWith(method: string, result: unknown): Promise<string> {
  const server = await serveLoopback({
    async handle({ body }) {
      const asked = Object(JSON.parse(body));
      if (asked.method === method) {
        return { kind: 'json', status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }) };
      }
      const response = await fetch(chain.rpcUrl, { method: 'POST', body });
      return { kind: 'json', status: 200, body: await response.text() };
    },
  });
  servers.push(server);
  return server.url;
}

describe('assay doctor on the wallet', () => {
  it('is off when nothing is sold, with the setting that changes it', async () => {
    const finding = await examined({});
    for (const name of ['wallet', 'facilitator']) {
      expect(finding(name)).toEqual({ name, status: 'off', says: 'nothing is sold: set PAY_TO' });
    }
    expect(finding('node').status).toBe('off');
  });

  it('accepts an address with its checksum', async () => {
    expect((await look())('wallet').status).toBe('ok');
  });

  it('finds a mistyped digit', async () => {
    const [first = '', ...rest] = chain.accounts.seller.address.slice(2);
    const PAY_TO = `0x${first === '1' ? '2' : '1'}${rest.join('')}`;
    expect((await look({ PAY_TO }))('wallet')).toMatchObject({
      status: 'failure',
      fix: 'copy the address again',
    });
  });

  it('warns where a mistyped digit would not show', async () => {
    const PAY_TO = chain.accounts.seller.address.toLowerCase();
    expect((await look({ PAY_TO }))('wallet').status).toBe('warning');
  });

  it.each(['GAS_KEY', 'BUYER_KEY'])('finds takings in the wallet of %s', async (name) => {
    const { address, key } = chain.accounts.gas;
    const settings = name === 'GAS_KEY' ? settlingHere(key) : { BUYER_KEY: key };
    const finding = (await look({ PAY_TO: address, ...settings }))('wallet');
    expect(finding).toMatchObject({
      status: 'failure',
      says: expect.stringContaining(`the wallet of ${name}`),
    });
    expect(JSON.stringify(finding)).not.toContain(key.slice(2));
  });
});

describe('assay doctor on the facilitator', () => {
  it('reads what it settles, and who signs', async () => {
    expect((await look())('facilitator')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining(`settles exact on Base; signers ${chain.accounts.gas.address}`),
    });
  });

  it.each<[why: string, status: number, body: unknown, expected: object]>([
    [
      'only other networks',
      200,
      { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }] },
      { status: 'failure', says: expect.stringContaining('does not settle exact payments on Base') },
    ],
    [
      'only another scheme',
      200,
      { kinds: [{ x402Version: 2, scheme: 'upto', network: 'eip155:8453' }] },
      { status: 'failure' },
    ],
    [
      'only version 1',
      200,
      { kinds: [{ x402Version: 1, scheme: 'exact', network: 'base' }] },
      { status: 'warning', says: expect.stringContaining('version 1 of x402 only') },
    ],
    ['that we may not ask', 401, {}, { status: 'failure', fix: 'check FACILITATOR_AUTH' }],
    ['a page for people', 200, '<html>', { status: 'failure', fix: 'check FACILITATOR_URL' }],
  ])('finds one that answers %s', async (_, status, body, expected) => {
    facilitator.misbehave({ kind: 'answer', status, body: JSON.stringify(body) });
    try {
      expect((await look())('facilitator')).toMatchObject(expected);
    } finally {
      facilitator.misbehave(null);
    }
  });

  it('finds one that is away, and does not show its credentials', async () => {
    const finding = await look({
      FACILITATOR_URL: 'http://127.0.0.1:2/key-in-the-path',
      FACILITATOR_AUTH: 'very-secret-token',
    });
    expect(finding('facilitator')).toMatchObject({
      status: 'failure',
      says: '127.0.0.1:2 does not answer: ECONNREFUSED',
    });
    expect(JSON.stringify(finding('clock of the network'))).not.toContain('key-in-the-path');
  });

  it('compares its clock', async () => {
    const at = (aheadMs: number) => look({}, { now: () => new Date(Date.now() + aheadMs) });
    expect((await at(0))('clock of the network').status).toBe('ok');
    expect((await at(8_000))('clock of the network')).toMatchObject({
      status: 'warning',
      says: expect.stringMatching(/^the facilitator is [78]\.[0-9] s behind the clock of this machine$/),
    });
    expect((await at(-40_000))('clock of the network').status).toBe('failure');
  });

  it('is off when payments are settled here', async () => {
    const finding = await look(settlingHere(chain.accounts.gas.key));
    expect(finding('facilitator')).toMatchObject({ status: 'off', says: expect.stringContaining('GAS_KEY') });
  });
});

describe('assay doctor on the chain', () => {
  it('is content with a node of Base', async () => {
    expect((await look())('node')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('chain 8453, with USDC'),
    });
  });

  it('finds another chain', async () => {
    const RPC_URL = await nodeWith('eth_chainId', '0x14a34');
    expect((await look({ RPC_URL }))('node')).toMatchObject({
      status: 'failure',
      says: expect.stringContaining('a node of chain 84532, not of Base (8453)'),
    });
  });

  it('finds a chain without USDC', async () => {
    const RPC_URL = await nodeWith('eth_getCode', '0x');
    expect((await look({ RPC_URL }))('node')).toMatchObject({ status: 'failure' });
  });

  it('finds a node that is away; what depends on it is not a second failure', async () => {
    const finding = await look({ RPC_URL: 'http://127.0.0.1:2', BUYER_KEY: chain.accounts.pauper.key });
    expect(finding('node')).toMatchObject({ status: 'failure', fix: 'check RPC_URL' });
    expect(finding('verify wallet')).toMatchObject({ status: 'warning', fix: 'see node' });
  });

  it.each<[string, wei: string | null, status: string]>([
    ['plenty', null, 'ok'],
    ['for some settlements', '0x2386f26fc10000', 'warning'],
    ['none', '0x0', 'failure'],
  ])('looks at the ether of GAS_KEY: %s', async (_, wei, status) => {
    // A hundredth of an ether, at 10 gwei for a unit of gas.
    const RPC_URL = wei === null ? chain.rpcUrl : await nodeWith('eth_getBalance', wei);
    const priced = wei === null ? RPC_URL : await pricedNode(RPC_URL);
    const finding = await look({ ...settlingHere(chain.accounts.gas.key), RPC_URL: priced });
    expect(finding('gas wallet')).toMatchObject({ status });
  });

  it('is off without GAS_KEY', async () => {
    expect((await look())('gas wallet')).toMatchObject({
      status: 'off',
      says: expect.stringContaining('GAS_KEY'),
    });
  });

  it('looks at the USDC of BUYER_KEY beside the cap of a day', async () => {
    const rich = buyerOf(chain, 1);
    expect((await look({ BUYER_KEY: rich.key }))('verify wallet')).toMatchObject({
      status: 'ok',
      says: `${rich.address} has 100.00 USDC; VERIFY_CAP_DAY is 1.00`,
    });
    await drain(chain, rich, 500_000n);
    expect((await look({ BUYER_KEY: rich.key }))('verify wallet')).toMatchObject({
      status: 'warning',
      fix: `send USDC on Base to ${rich.address}`,
    });
    const poor = await look({ BUYER_KEY: chain.accounts.pauper.key });
    expect(poor('verify wallet').status).toBe('failure');
    expect((await look())('verify wallet')).toMatchObject({
      status: 'off',
      says: expect.stringContaining('BUYER_KEY'),
    });
  });
});

/** The same node with gas at 10 gwei. */
async function pricedNode(rpcUrl: string): Promise<string> {
  const server = await serveLoopback({
    async handle({ body }) {
      const { id, method } = Object(JSON.parse(body));
      if (method === 'eth_gasPrice') {
        const answer = { jsonrpc: '2.0', id, result: '0x2540be400' };
        return { kind: 'json', status: 200, body: JSON.stringify(answer) };
      }
      const response = await fetch(rpcUrl, { method: 'POST', body });
      return { kind: 'json', status: 200, body: await response.text() };
    },
  });
  servers.push(server);
  return server.url;
}
