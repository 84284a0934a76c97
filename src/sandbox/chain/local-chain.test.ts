import { setTimeout as wait } from 'node:timers/promises';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf } from '../../../test/support/paying/chain-reading.ts';
import { USDC } from '../../../tools/signed-payment.ts';
import { CONTRACT_WALLET, sandboxAccounts } from './funded-accounts.ts';
import { createEvm, type Evm, type LocalChain, startLocalChain } from './local-chain.ts';

const TOKEN = parseAbi(['function mint(address, uint256)', 'function name()']);
const MINT = encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [USDC, 1n] });

describe('the local chain', () => {
  let evm: Evm;
  let chain: LocalChain;

  beforeAll(async () => {
    evm = await createEvm();
    chain = await startLocalChain({ evm });
  });
  afterAll(() => chain.stop());

  const post = async (body: string): Promise<[status: number, answer: unknown]> => {
    const response = await fetch(chain.rpcUrl, { method: 'POST', body });
    return [response.status, await response.json()];
  };

  it('listens on loopback only and says that it is Base', async () => {
    expect(chain.rpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/);
    expect(await post('{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}')).toEqual([
      200,
      { jsonrpc: '2.0', id: 7, result: '0x2105' },
    ]);
  });

  it('has funded buyers, whose keys are the same on every start', async () => {
    const { buyers, seller, pauper } = chain.accounts;
    expect(buyers).toHaveLength(10);
    expect(buyers[0]?.address).toBe('0x65261f309C3C554CD49f58d9a4177BD691fc8D02');
    expect(sandboxAccounts()).toEqual(chain.accounts);
    for (const { address } of buyers) expect(await balanceOf(chain, address)).toBe(100_000_000n);
    expect(await balanceOf(chain, CONTRACT_WALLET)).toBe(100_000_000n);
    expect(await balanceOf(chain, seller.address)).toBe(0n);
    expect(await balanceOf(chain, pauper.address)).toBe(0n);
  });

  it.each([
    [
      'is no JSON',
      '{',
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'not a JSON-RPC request' } },
    ],
    [
      'has no method',
      '{"id":3}',
      { jsonrpc: '2.0', id: 3, error: { code: -32_600, message: 'a request has a method' } },
    ],
    ['is an empty batch', '[]', { id: null, error: { code: -32_600 } }],
    [
      'is a batch of 101',
      JSON.stringify(Array.from({ length: 101 }, () => ({}))),
      { error: { code: -32_600 } },
    ],
    ['names no method of ours', '{"id":"a","method":"eth_nope"}', { id: 'a', error: { code: -32_004 } }],
    [
      'would end the process',
      '{"id":1,"method":"hardhat_mine","params":["0x3e8"]}',
      { error: { code: -32_601, message: 'the method hardhat_mine is not available' } },
    ],
  ])('answers a request that %s', async (_, body, answer) => {
    expect(await post(body)).toEqual([200, expect.objectContaining({})]);
    expect((await post(body))[1]).toMatchObject(answer);
  });

  it('answers a batch in its order', async () => {
    const batch = [
      { id: 1, method: 'eth_chainId' },
      { id: 2, method: 'eth_getBalance', params: [USDC, 'latest'] },
    ];
    expect(await post(JSON.stringify(batch))).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 1, result: '0x2105' },
        { jsonrpc: '2.0', id: 2, result: '0x0' },
      ],
    ]);
  });

  it('reads no more than a megabyte', async () => {
    expect((await post(' '.repeat(1_048_577)))[0]).toBe(413);
  });

  it('reports a revert as the nodes of Base do: code 3, the reason, the data', async () => {
    const call = { id: 1, method: 'eth_call', params: [{ to: USDC, data: MINT }, 'latest'] };
    const [, answer] = await post(JSON.stringify(call));
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: 3,
        message: 'execution reverted: FiatToken: caller is not a minter',
        data: expect.stringMatching(/^0x08c379a0/),
      },
    });
  });

  it('takes a transaction that reverts, and says so in its receipt', async () => {
    const tx = await send(chain, MINT);
    expect(await chain.ask('eth_getTransactionReceipt', [tx])).toMatchObject({ status: '0x0' });
  });

  it('runs no faster than the clock, however many blocks it makes', async () => {
    for (let block = 0; block < 30; block += 1) await chain.ask('evm_mine', []);
    const { timestamp } = Object(await chain.ask('eth_getBlockByNumber', ['latest', false]));
    expect(Number(timestamp)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });

  it('makes blocks by the clock when it is told to, and stops', async () => {
    const slow = await startLocalChain({ evm, blockMs: 50 });
    const tx = await send(slow, encodeFunctionData({ abi: TOKEN, functionName: 'name' }));
    for (let round = 0; round < 200; round += 1) {
      if ((await slow.ask('eth_getTransactionReceipt', [tx])) !== null) break;
      await wait(10);
    }
    expect(await slow.ask('eth_getTransactionReceipt', [tx])).toMatchObject({ status: '0x1' });
    await slow.stop();
    await expect(fetch(slow.rpcUrl, { method: 'POST', body: '{}' })).rejects.toThrow();
    const height = await slow.ask('eth_blockNumber', []);
    await wait(150);
    expect(await slow.ask('eth_blockNumber', [])).toBe(height);
  });
});

/** A transaction of the gas account that is not looked at before it is sent. */
async function send({ ask, accounts: { gas } }: LocalChain, data: Hex): Promise<unknown> {
  const nonce = Number(await ask('eth_getTransactionCount', [gas.address, 'pending']));
  const signed = await privateKeyToAccount(gas.key).signTransaction({
    type: 'eip1559',
    chainId: 8_453,
    nonce,
    to: USDC,
    data,
    gas: 200_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 0n,
  });
  return ask('eth_sendRawTransaction', [signed]);
}
