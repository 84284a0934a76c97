import { encodeFunctionData, getAddress, type Hex, numberToHex, pad, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalChain, startLocalChain } from '../../sandbox/chain/local-chain.ts';
import { type LoopbackServer, serveLoopback } from '../../sandbox/loopback-server.ts';
import { createBaseClient, USDC } from './base-chain.ts';
import { createSerialSender } from './serial-sender.ts';
import { createTransferLog, type TransferLogOptions } from './transfers.ts';

const TOKEN = parseAbi(['function transfer(address, uint256) returns (bool)']);
const LONG_AGO = new Date('2020-01-01T00:00:00.000Z');
const SHOP = '0x00000000000000000000000000000000000051ab';
const OTHER_SHOP = '0x00000000000000000000000000000000000051ac';
const STRANGER = '0x00000000000000000000000000000000000051de';

/** A node in front of the chain: `instead` may answer in its place. */
async function nodeBefore(
  chain: LocalChain,
  instead: (method: string, params: readonly unknown[]) => unknown,
): Promise<LoopbackServer & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await serveLoopback({
    async handle({ body }) {
      const { id, method, params } = Object(JSON.parse(body));
      asked.push(method);
      const own = instead(method, params ?? []);
      if (own !== undefined) {
        return { kind: 'json', status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, ...Object(own) }) };
      }
      const response = await fetch(chain.rpcUrl, { method: 'POST', body });
      return { kind: 'json', status: 200, body: await response.text() };
    },
  });
  return { ...server, asked };
}

/** An answer to one kind of question. */
const only = (asked: string, answer: object) => (method: string) => (method === asked ? answer : undefined);

describe('who paid whom in USDC on Base', () => {
  let chain: LocalChain;
  let payers: Hex[];
  const stopping: LoopbackServer[] = [];
  const log = (options: Partial<TransferLogOptions> = {}) =>
    createTransferLog({ rpcUrl: chain.rpcUrl, ...options });
  const payer = (index: number, since = LONG_AGO) => ({ payer: payers[index]?.toLowerCase() ?? '', since });
  const pay = (index: number, to: Hex, value: bigint) => {
    const account = privateKeyToAccount(chain.accounts.buyers[index]?.key ?? '0x');
    const data = encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [to, value] });
    return createSerialSender(createBaseClient({ rpcUrl: chain.rpcUrl }), account).send({ to: USDC, data });
  };
  const mine = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) await chain.ask('evm_mine', []);
  };
  const timeOfHead = async () => {
    const { timestamp } = Object(await chain.ask('eth_getBlockByNumber', ['latest', false]));
    return new Date(Number(timestamp) * 1_000);
  };
  const paid = (index: number, payTo: string, payments: number, amount: bigint) => ({
    payer: payer(index).payer,
    payTo: payTo.toLowerCase(),
    payments,
    amount,
  });

  beforeAll(async () => {
    chain = await startLocalChain();
    payers = chain.accounts.buyers.map(({ address }) => address);
    await pay(0, SHOP, 10_000n);
    await mine(3);
    await pay(0, SHOP, 2_000n);
    await pay(0, OTHER_SHOP, 500n);
    await pay(0, STRANGER, 9_000n);
    // Anybody can make the token say this of anybody else.
    await pay(0, SHOP, 0n);
    await mine(2);
    await pay(1, SHOP, 7n);
    await pay(2, STRANGER, 1n);
  });
  afterAll(async () => {
    await Promise.all(stopping.map((server) => server.stop()));
    await chain.stop();
  });
  const nodeWith = async (instead: (method: string, params: readonly unknown[]) => unknown) => {
    const node = await nodeBefore(chain, instead);
    stopping.push(node);
    return node;
  };

  it('counts and adds up, for each pair of wallets', async () => {
    const read = await log().paidBy([payer(0), payer(1), payer(2)], [SHOP, OTHER_SHOP]);
    expect(read).toMatchObject({ kind: 'read' });
    expect(Object(read).paid).toEqual([
      paid(0, SHOP, 2, 12_000n),
      paid(0, OTHER_SHOP, 1, 500n),
      paid(1, SHOP, 1, 7n),
    ]);
  });

  it.each(['upper case', 'lower case'])('takes addresses in %s', async (letters) => {
    const spell = (text: string) =>
      letters === 'upper case' ? `0x${text.slice(2).toUpperCase()}` : text.toLowerCase();
    const { since } = payer(1);
    const read = await log().paidBy([{ payer: spell(payer(1).payer), since }], [spell(SHOP), spell(SHOP)]);
    expect(Object(read).paid).toEqual([paid(1, SHOP, 1, 7n)]);
  });

  it.each([1n, 2n, 3n, 7n, 19n, 1_000n])('reads the same in steps of %s blocks', async (blocksPerQuery) => {
    const read = await log({ blocksPerQuery }).paidBy([payer(0)], [SHOP, OTHER_SHOP, STRANGER]);
    expect(Object(read).paid).toEqual([
      paid(0, SHOP, 2, 12_000n),
      paid(0, OTHER_SHOP, 1, 500n),
      paid(0, STRANGER, 1, 9_000n),
    ]);
  });

  it('reads more wallets than one question can carry', async () => {
    const none = Array.from({ length: 150 }, (_, n) => pad(numberToHex(n + 1_000), { size: 20 }));
    const others = none.map((address) => ({ payer: address, since: LONG_AGO }));
    const read = await log().paidBy([...others, payer(0)], [...none, SHOP]);
    expect(Object(read).paid).toEqual([paid(0, SHOP, 2, 12_000n)]);
  });

  it('counts only what came after the lookup, for each payer by itself', async () => {
    await chain.ask('evm_increaseTime', [3_600]);
    await mine(1);
    const later = await timeOfHead();
    await pay(3, SHOP, 40n);
    await pay(4, SHOP, 50n);
    await chain.ask('evm_increaseTime', [3_600]);
    await mine(1);
    const latest = await timeOfHead();
    await pay(4, SHOP, 60n);
    const after = new Date(latest.getTime() + 7_200_000);
    const read = await log().paidBy(
      [payer(0, later), payer(3, later), payer(4, latest), payer(1, after)],
      [SHOP],
    );
    expect(Object(read).paid).toEqual([paid(3, SHOP, 1, 40n), paid(4, SHOP, 1, 60n)]);
    expect(read).toMatchObject({ kind: 'read', since: later });
  });

  it.each([
    ['a moment after its block', 1_000, 1],
    ['as much after it as clocks differ', 2_999, 1],
    ['longer after it', 3_000, 0],
  ])('a lookup %s', async (_, lateMs, payments) => {
    const block = Math.floor((await timeOfHead()).getTime() / 1_000) + 100;
    await chain.ask('evm_setNextBlockTimestamp', [block]);
    await pay(5, SHOP, 1n);
    const read = await log().paidBy([payer(5, new Date(block * 1_000 + lateMs))], [SHOP]);
    expect(Object(read).paid).toEqual(payments === 0 ? [] : [paid(5, SHOP, 1, 1n)]);
  });

  it('looks back so far and no further, and says how far', async () => {
    const reached = await timeOfHead();
    await mine(4);
    expect(await log({ lookbackBlocks: 4n }).paidBy([payer(0)], [SHOP])).toEqual({
      kind: 'read',
      since: reached,
      paid: [],
    });
  });

  it.each([
    ['payers', [], [SHOP]],
    ['payees', [{ payer: SHOP, since: LONG_AGO }], []],
  ])('asks nobody when there are no %s', async (_, from, to) => {
    const read = await log({ rpcUrl: 'http://127.0.0.1:1' }).paidBy(from, to);
    expect(read).toMatchObject({ kind: 'read', paid: [] });
  });

  it('takes smaller steps at a node that refuses long ranges or long answers', async () => {
    const error = { error: { code: -32_005, message: 'query exceeds the limit' } };
    const long = { result: [{ data: '0x'.padEnd(1_100_000, '0') }] };
    const head = Number(await chain.ask('eth_blockNumber', []));
    for (const refusal of [error, long]) {
      const node = await nodeWith((method, [filter]) => {
        if (method !== 'eth_getLogs') return undefined;
        const { fromBlock, toBlock } = Object(filter);
        const last = toBlock === 'latest' ? head : Number(toBlock);
        return last - Number(fromBlock) < 4 ? undefined : refusal;
      });
      const read = await log({ rpcUrl: node.url }).paidBy([payer(0)], [SHOP]);
      expect(Object(read).paid).toEqual([paid(0, SHOP, 2, 12_000n)]);
    }
  });

  it('believes no log that it did not ask for', async () => {
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const from = pad(getAddress(payers[0] ?? '0x'));
    const said = (changes: object) => ({
      address: USDC,
      topics: [topic, from, pad(SHOP)],
      data: numberToHex(1n, { size: 32 }),
      blockNumber: '0x1',
      transactionHash: `0x${'00'.repeat(32)}`,
      logIndex: '0x0',
      ...changes,
    });
    const lies = [
      said({ address: STRANGER }),
      said({ topics: [topic, pad(STRANGER), pad(SHOP)] }),
      said({ topics: [topic, from, pad(STRANGER)] }),
      said({ topics: [topic] }),
      said({ topics: [`0x${'11'.repeat(32)}`, from, pad(SHOP)] }),
      said({ data: '0x' }),
      said({ removed: true }),
      said({ blockNumber: null }),
    ];
    const node = await nodeWith(only('eth_getLogs', { result: lies }));
    expect(Object(await log({ rpcUrl: node.url }).paidBy([payer(0)], [SHOP])).paid).toEqual([]);
    const truth = await nodeWith(only('eth_getLogs', { result: [said({})] }));
    expect(Object(await log({ rpcUrl: truth.url }).paidBy([payer(0)], [SHOP])).paid).toEqual([
      paid(0, SHOP, 1, 1n),
    ]);
  });

  it.each<[string, string, (method: string) => unknown]>([
    ['is of another chain', 'not_base', only('eth_chainId', { result: '0x1' })],
    ['refuses every question', 'no_answer', () => ({ error: { code: -32_000, message: 'no' } })],
    ['answers nothing', 'no_answer', () => ({ result: null })],
    ['answers logs that are none', 'no_answer', only('eth_getLogs', { result: 'x' })],
    [
      'refuses even single blocks',
      'no_answer',
      only('eth_getLogs', { error: { code: -32_005, message: 'limit' } }),
    ],
  ])('says so when the node %s', async (_, because, instead) => {
    const node = await nodeWith(instead);
    const read = await log({ rpcUrl: node.url }).paidBy([payer(0)], [SHOP]);
    expect(read).toEqual({ kind: 'unavailable', because });
  });

  it('says so when nobody answers at all', async () => {
    const read = log({ rpcUrl: 'http://127.0.0.1:1' }).paidBy([payer(0)], [SHOP]);
    expect(await read).toEqual({ kind: 'unavailable', because: 'no_answer' });
  });

  it('gives up after so many questions', async () => {
    const node = await nodeWith(() => undefined);
    const options = { rpcUrl: node.url, blocksPerQuery: 1n, questionsMax: 10 };
    expect(await log(options).paidBy([payer(0)], [SHOP])).toEqual({
      kind: 'unavailable',
      because: 'too_much',
    });
    expect(node.asked).toHaveLength(10);
  });
});
