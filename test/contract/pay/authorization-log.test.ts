import { encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBaseClient } from '../../../src/adapters/facilitator/base-chain.ts';
import { createBuiltInFacilitator } from '../../../src/adapters/facilitator/built-in-facilitator.ts';
import { createAuthorizationLog } from '../../../src/adapters/facilitator/chain-log.ts';
import { createSerialSender, type SerialSender } from '../../../src/adapters/facilitator/serial-sender.ts';
import { type LocalChain, startLocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { serveLoopback } from '../../../src/sandbox/loopback-server.ts';
import {
  ALWAYS,
  chargeOf,
  newNonce,
  readSigned,
  type SignedAuthorization,
  signAuthorization,
  USDC,
} from '../../../tools/signed-payment.ts';

const PRICE = 10_000n;
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const STRANGER = '0x00000000000000000000000000000000000051DE';
const TOKEN = parseAbi([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  'function cancelAuthorization(address, bytes32, uint8, bytes32, bytes32)',
  'function approve(address, uint256)',
  'function transferFrom(address, address, uint256)',
]);
const BUNDLE = parseAbi(['function tryAggregate(bool, (address target, bytes callData)[]) payable']);
const CANCEL = {
  domain: { name: 'USD Coin', version: '2', chainId: 8_453, verifyingContract: USDC },
  primaryType: 'CancelAuthorization',
  types: {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
} as const;

describe('the log of authorizations', () => {
  let chain: LocalChain;
  let sender: SerialSender;
  const buyer = () => chain.accounts.buyers[0]?.key ?? '0x';
  const sign = (to: Hex, value = PRICE, nonce: Hex = newNonce()) =>
    signAuthorization({ key: buyer(), to, value, nonce });
  const useOf = (signed: SignedAuthorization, options = {}) =>
    createAuthorizationLog({ rpcUrl: chain.rpcUrl, ...options }).useOf(readSigned(signed).authorization);
  const useCall = ({ authorization, signature }: SignedAuthorization) => {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    return encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args });
  };
  const use = (signed: SignedAuthorization) => sender.send({ to: USDC, data: useCall(signed) });

  const cancelCall = async ({ authorization: { from, nonce } }: SignedAuthorization): Promise<Hex> => {
    const message = { authorizer: from, nonce };
    const signature = await privateKeyToAccount(buyer()).signTypedData({ ...CANCEL, message });
    const { v, r, s } = parseSignature(signature);
    const args = [from, nonce, Number(v), r, s] as const;
    return encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args });
  };
  /** Several calls of the token in one transaction. */
  const bundle = (...datas: Hex[]): Promise<Hex> => {
    const calls = datas.map((callData) => ({ target: USDC, callData }) as const);
    const data = encodeFunctionData({ abi: BUNDLE, functionName: 'tryAggregate', args: [true, calls] });
    return sender.send({ to: MULTICALL, data });
  };

  beforeAll(async () => {
    chain = await startLocalChain();
    const gas = privateKeyToAccount(chain.accounts.gas.key);
    sender = createSerialSender(createBaseClient({ rpcUrl: chain.rpcUrl }), gas);
  });
  afterAll(() => chain.stop());

  it('says unused until it is used, and then the transaction', async () => {
    const { seller, gas } = chain.accounts;
    const signed = await sign(seller.address);
    expect(await useOf(signed)).toEqual({ kind: 'unused', asOf: expect.any(Date) });
    const facilitator = createBuiltInFacilitator({ rpcUrl: chain.rpcUrl, gasKey: gas.key });
    const settled = await facilitator.settle(readSigned(signed), chargeOf(PRICE, seller.address), ALWAYS);
    expect(await useOf(signed)).toEqual({ kind: 'used', tx: settled.kind === 'settled' ? settled.tx : '' });
  });

  it('says void when it was canceled', async () => {
    const signed = await sign(chain.accounts.seller.address);
    await sender.send({ to: USDC, data: await cancelCall(signed) });
    expect(await useOf(signed)).toEqual({ kind: 'void' });
  });

  it('says void when it was canceled right before money came another way', async () => {
    const { seller } = chain.accounts;
    const signed = await sign(seller.address);
    const { from } = signed.authorization;
    const client = createBaseClient({ rpcUrl: chain.rpcUrl });
    const approve = encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [MULTICALL, PRICE] });
    await createSerialSender(client, privateKeyToAccount(buyer())).send({ to: USDC, data: approve });
    const args = [from, seller.address, PRICE] as const;
    const transfer = encodeFunctionData({ abi: TOKEN, functionName: 'transferFrom', args });
    await bundle(await cancelCall(signed), transfer);
    expect(await useOf(signed)).toEqual({ kind: 'void' });
  });

  it.each([
    ['payee', STRANGER, PRICE],
    ['amount', null, 1n],
  ] as const)('says void when the nonce went to another %s', async (_, to, value) => {
    const { seller } = chain.accounts;
    const nonce = newNonce();
    const ours = await sign(seller.address, PRICE, nonce);
    const other = await sign(to ?? seller.address, value, nonce);
    const tx = await use(other);
    expect(await useOf(ours)).toEqual({ kind: 'void' });
    expect(await useOf(other)).toEqual({ kind: 'used', tx });
  });

  it('takes no other transfer of the same transaction for its own', async () => {
    const { seller } = chain.accounts;
    const nonce = newNonce();
    const ours = await sign(seller.address, PRICE, nonce);
    const decoy = await sign(STRANGER, PRICE, nonce);
    const honest = await sign(seller.address, PRICE);
    const tx = await bundle(useCall(decoy), useCall(honest));
    expect(await useOf(ours)).toEqual({ kind: 'void' });
    expect(await useOf(honest)).toEqual({ kind: 'used', tx });
  });

  it('looks back block range by block range, and so far and no further', async () => {
    const signed = await sign(chain.accounts.seller.address);
    const tx = await use(signed);
    for (let block = 0; block < 20; block += 1) await chain.ask('evm_mine', []);
    for (const blocksPerQuery of [1n, 3n, 7n, 20n, 21n, 22n, 1_000n]) {
      expect(await useOf(signed, { blocksPerQuery })).toEqual({ kind: 'used', tx });
    }
    expect(await useOf(signed, { blocksPerQuery: 3n, lookbackBlocks: 20n })).toEqual({ kind: 'used', tx });
    expect(await useOf(signed, { blocksPerQuery: 3n, lookbackBlocks: 19n })).toEqual({ kind: 'unavailable' });
  });

  it.each([
    ['is down', null],
    ['answers garbage', 'garbage'],
    ['answers nothing', '{"jsonrpc":"2.0","id":1,"result":null}'],
    ['answers an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}'],
    ['answers too much', `{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(1_048_576)}"}`],
  ])('says unavailable when the node %s', async (_, body) => {
    const signed = await sign(chain.accounts.seller.address);
    const node = await serveLoopback({
      handle: async () => ({ kind: 'json', status: 200, body: body ?? '' }),
    });
    if (body === null) await node.stop();
    expect(await useOf(signed, { rpcUrl: node.url })).toEqual({ kind: 'unavailable' });
    await node.stop();
  });
});
