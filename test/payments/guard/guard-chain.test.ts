import { toEventSelector, toFunctionSelector } from 'viem';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askChain, type ChainOptions, type ChainQuestion } from '../../../src/guard/outcome/ask-chain.ts';
import { type LoopbackAnswer, serveLoopback } from '../../../src/sandbox/loopback-server.ts';
import { newNonce, secondsFromNow, signAuthorization, USDC } from '../../../tools/signed-payment.ts';
import { startFragileNode } from '../../support/paying/fragile-node.ts';
import { bringIn, buyerOf, cancel, chainOfTheFile } from '../../support/paying/paying-chain.ts';
import { holdTimers } from '../../support/probing/held-timers.ts';

const chain = await chainOfTheFile();
const { gas, seller } = chain.accounts;
const buyer = buyerOf(chain);

const sign = (changes: { validBefore?: number } = {}) =>
  signAuthorization({ key: buyer.key, to: seller.address, value: 10_000n, ...changes });

function question(
  { authorization }: Awaited<ReturnType<typeof sign>>,
  changes: Partial<ChainQuestion> = {},
): ChainQuestion {
  return {
    network: 'eip155:8453',
    asset: USDC,
    authorization,
    since: new Date(Date.now() - 5_000),
    ...changes,
  };
}

function options(changes: Partial<ChainOptions> = {}): ChainOptions {
  return { rpcUrl: chain.rpcUrl, fetch, now: () => new Date(), ...changes };
}

async function fragile() {
  const node = await startFragileNode(chain.rpcUrl);
  onTestFinished(() => node.stop());
  return node;
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** A node that passes everything on, except where the test answers itself: with a result, a whole answer, or not at all. */
async function liar(reply: (call: Call) => { result: unknown } | LoopbackAnswer | null) {
  const calls: Call[] = [];
  const server = await serveLoopback({
    async handle({ body }) {
      const call: Call = JSON.parse(body);
      calls.push(call);
      const own = reply(call);
      if (own !== null && 'kind' in own) return own;
      if (own !== null) return said({ jsonrpc: '2.0', id: call.id, ...own });
      const response = await fetch(chain.rpcUrl, { method: 'POST', body });
      return { kind: 'json', status: 200, body: await response.text() };
    },
  });
  onTestFinished(() => server.stop());
  return { rpcUrl: server.url, calls };
}

const said = (document: unknown, status = 200): LoopbackAnswer => ({
  kind: 'json',
  status,
  body: JSON.stringify(document),
});

describe('the selectors', () => {
  it('are those of EIP-3009', async () => {
    const signed = await sign();
    const { rpcUrl, calls } = await liar(() => null);
    await bringIn(chain, gas, signed);
    await askChain(options({ rpcUrl }), question(signed));
    const sent = JSON.stringify(calls);
    expect(sent).toContain(`"${toFunctionSelector('authorizationState(address,bytes32)')}000000`);
    expect(sent).toContain(toEventSelector('AuthorizationUsed(address,bytes32)'));
    expect(sent).toContain(toEventSelector('AuthorizationCanceled(address,bytes32)'));
    expect(calls.map(({ method }) => method)).toEqual([
      'eth_chainId',
      'eth_getBlockByNumber',
      'eth_call',
      'eth_getLogs',
    ]);
  });
});

describe('an authorization on the real chain', () => {
  it('was used: the transaction is the one that settled it', async () => {
    const signed = await sign();
    const transaction = await bringIn(chain, gas, signed);
    expect(await askChain(options(), question(signed))).toEqual({ kind: 'used', transaction });
  });

  it('is found in any letter case', async () => {
    const signed = await sign();
    const transaction = await bringIn(chain, gas, signed);
    const { from, nonce, validBefore } = signed.authorization;
    const authorization = {
      from: from.toLowerCase(),
      nonce: `0x${nonce.slice(2).toUpperCase()}`,
      validBefore,
    };
    const asked = question(signed, { authorization, asset: USDC.toLowerCase() });
    expect(await askChain(options(), asked)).toEqual({ kind: 'used', transaction });
  });

  it('is open while it may still be used', async () => {
    expect(await askChain(options(), question(await sign()))).toEqual({ kind: 'not_used', final: false });
  });

  it('was cancelled by the payer: the money stayed', async () => {
    const signed = await sign();
    await cancel(chain, buyer, signed);
    expect(await askChain(options(), question(signed))).toEqual({ kind: 'not_used', final: true });
  });

  it('counts as used where the logs do not show that it was cancelled', async () => {
    const signed = await sign();
    await cancel(chain, buyer, signed);
    const node = await fragile();
    node.treat((method) => (method === 'eth_getLogs' ? { instead: 'range too large' } : 'fine'));
    expect(await askChain(options({ rpcUrl: node.url }), question(signed))).toEqual({
      kind: 'used',
      transaction: null,
    });
  });

  it('is final only when the chain itself is past its end, whatever our clock says', async () => {
    const validBefore = secondsFromNow(40);
    const signed = await sign({ validBefore });
    const late = { now: () => new Date((validBefore + 60) * 1_000) };
    expect(await askChain(options(late), question(signed))).toEqual({ kind: 'not_used', final: false });
    await chain.ask('evm_setNextBlockTimestamp', [validBefore - 1]);
    await chain.ask('evm_mine', []);
    expect(await askChain(options(late), question(signed))).toEqual({ kind: 'not_used', final: false });
    await chain.ask('evm_setNextBlockTimestamp', [validBefore]);
    await chain.ask('evm_mine', []);
    expect(await askChain(options(late), question(signed))).toEqual({ kind: 'not_used', final: true });
    await expect(bringIn(chain, gas, signed)).rejects.toThrow();
  });
});

describe('a node that cannot be relied on', () => {
  const block = (changes: object) => ({ result: { number: '0x5', timestamp: '0x5', ...changes } });
  const NO = `0x${'0'.repeat(64)}`;

  it('is on another chain', async () => {
    const signed = await sign();
    expect(await askChain(options(), question(signed, { network: 'eip155:84532' }))).toEqual({
      kind: 'other_chain',
    });
    const { rpcUrl, calls } = await liar(({ method }) =>
      method === 'eth_chainId' ? { result: '0x1' } : null,
    );
    expect(await askChain(options({ rpcUrl }), question(signed))).toEqual({ kind: 'other_chain' });
    expect(calls).toHaveLength(1);
  });

  it('is asked about the block that it named, so that a slower one behind it cannot answer', async () => {
    const { rpcUrl, calls } = await liar(() => null);
    await askChain(options({ rpcUrl }), question(await sign()));
    const { number } = Object(await chain.ask('eth_getBlockByNumber', ['latest', false]));
    expect(calls[2]?.params[1]).toBe(number);
  });

  it.each<[string, string, { result: unknown } | LoopbackAnswer]>([
    ['a chain id in decimal', 'eth_chainId', { result: '8453' }],
    ['no chain id', 'eth_chainId', { result: null }],
    ['an answer to another question', 'eth_chainId', said({ jsonrpc: '2.0', id: 99, result: '0x2105' })],
    ['no JSON', 'eth_chainId', { kind: 'json', status: 200, body: '<html>' }],
    ['a list', 'eth_chainId', said([])],
    ['a limit', 'eth_chainId', said({ jsonrpc: '2.0', id: 1, result: '0x2105' }, 429)],
    ['a broken connection', 'eth_chainId', { kind: 'hang_up' }],
    ['more than a megabyte', 'eth_chainId', said({ id: 1, result: '0x2105', x: 'x'.repeat(1_048_576) })],
    ['no block', 'eth_getBlockByNumber', { result: null }],
    ['a block without a time', 'eth_getBlockByNumber', block({ timestamp: undefined })],
    ['a block with a negative time', 'eth_getBlockByNumber', block({ timestamp: '-0x1' })],
    ['a block with an endless time', 'eth_getBlockByNumber', block({ timestamp: `0x${'f'.repeat(64)}` })],
    ['a block from the future', 'eth_getBlockByNumber', block({ timestamp: '0xffffffff' })],
    ['a block whose number is text', 'eth_getBlockByNumber', block({ number: 'latest' })],
    ['no contract at the address', 'eth_call', { result: '0x' }],
    ['true and more', 'eth_call', { result: `${NO.slice(0, -1)}2` }],
    ['a number', 'eth_call', { result: 0 }],
    ['two words', 'eth_call', { result: `${NO}${'0'.repeat(64)}` }],
    ['a revert', 'eth_call', said({ jsonrpc: '2.0', id: 3, error: { code: 3, message: 'reverted' } })],
    ['a result beside an error', 'eth_call', said({ id: 3, result: NO, error: { code: 1 } })],
  ])('%s: nothing is known', async (_, lied, answer) => {
    const { rpcUrl } = await liar(({ method }) => (method === lied ? answer : null));
    expect(await askChain(options({ rpcUrl }), question(await sign()))).toEqual({ kind: 'unknown' });
  });

  it.each<[string, (log: object) => unknown]>([
    ['nothing', () => []],
    ['no list', (log) => log],
    ['two logs', (log) => [log, log]],
    ['another token', (log) => [{ ...log, address: seller.address }]],
    ['another nonce', (log) => [{ ...log, topics: [...Object(log).topics.slice(0, 2), newNonce()] }]],
    ['another event', (log) => [{ ...log, topics: [newNonce(), ...Object(log).topics.slice(1)] }]],
    ['fewer topics', (log) => [{ ...log, topics: Object(log).topics.slice(0, 2) }]],
    ['a hash that is none', (log) => [{ ...log, transactionHash: 'https://evil.example' }]],
    ['a log that was undone', (log) => [{ ...log, removed: true }]],
  ])('logs that show %s: used, by an unknown transaction', async (_, change) => {
    const signed = await sign();
    await bringIn(chain, gas, signed);
    const topics = [null, null, signed.authorization.nonce];
    const [log] = Object(await chain.ask('eth_getLogs', [{ fromBlock: '0x0', address: USDC, topics }]));
    const { rpcUrl } = await liar(({ method }) =>
      method === 'eth_getLogs' ? { result: change(log) } : null,
    );
    expect(await askChain(options({ rpcUrl }), question(signed))).toEqual({
      kind: 'used',
      transaction: null,
    });
  });

  it('is silent', async () => {
    const timers = holdTimers();
    const silent: typeof fetch = () => new Promise(() => {});
    const answer = askChain(options({ fetch: silent }), question(await sign()));
    timers.pass(10_000);
    expect(await answer).toEqual({ kind: 'unknown' });
  });

  it.each<[string, Partial<ChainQuestion>]>([
    ['Solana', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
    ['no network', { network: 'base' }],
    ['no token', { asset: 'USDC' }],
  ])('is not asked about %s', async (_, changes) => {
    const { rpcUrl, calls } = await liar(() => null);
    expect(await askChain(options({ rpcUrl }), question(await sign(), changes))).toEqual({ kind: 'unknown' });
    expect(calls).toEqual([]);
  });
});
