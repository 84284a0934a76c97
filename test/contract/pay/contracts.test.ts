import { readFileSync } from 'node:fs';
import {
  createWalletClient,
  encodeAbiParameters,
  getAddress,
  type Hex,
  hashTypedData,
  http,
  keccak256,
  parseAbi,
  parseSignature,
  serializeSignature,
  stringToBytes,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileContracts } from '../../../scripts/contracts/compile-contracts.ts';
import { createBaseClient } from '../../../src/adapters/facilitator/base-chain.ts';
import { type LocalChain, startLocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import {
  newNonce,
  type Signing,
  secondsFromNow,
  signAuthorization,
  USDC,
} from '../../../tools/signed-payment.ts';
import { balanceOf } from '../../support/paying/chain-reading.ts';

it('the committed artifacts are what the sources compile to', async () => {
  for (const artifact of await compileContracts()) {
    const file = `contracts/artifacts/${artifact.contract}.json`;
    expect(JSON.parse(readFileSync(file, 'utf8')), file).toEqual(artifact);
  }
});

const TOKEN = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function mint(address, uint256) returns (bool)',
  'function transfer(address, uint256) returns (bool)',
  'function approve(address, uint256) returns (bool)',
  'function transferFrom(address, address, uint256) returns (bool)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  'function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
]);
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe('the token of the sandbox', () => {
  let chain: LocalChain;
  let call: ReturnType<typeof callsOn>;
  const buyer = (index = 0) => {
    const found = chain.accounts.buyers[index];
    if (found === undefined) throw new Error('no such buyer');
    return found;
  };
  const signing = (changes: Partial<Signing> = {}): Signing => ({
    key: buyer().key,
    to: chain.accounts.seller.address,
    value: 5n,
    ...changes,
  });

  beforeAll(async () => {
    chain = await startLocalChain();
    call = callsOn(chain.rpcUrl);
  });
  afterAll(() => chain.stop());

  it('looks like USDC on Base to a wallet', async () => {
    const client = createBaseClient({ rpcUrl: chain.rpcUrl });
    const read = (functionName: 'name' | 'version' | 'symbol' | 'decimals' | 'DOMAIN_SEPARATOR') =>
      client.readContract({ address: USDC, abi: TOKEN, functionName });
    expect(await read('name')).toBe('USD Coin');
    expect(await read('version')).toBe('2');
    expect(await read('symbol')).toBe('USDC');
    expect(await read('decimals')).toBe(6);
    const domain = keccak256(
      encodeAbiParameters(
        [
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'uint256' },
          { type: 'address' },
        ],
        [
          keccak256(
            stringToBytes(
              'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
            ),
          ),
          keccak256(stringToBytes('USD Coin')),
          keccak256(stringToBytes('2')),
          8_453n,
          USDC,
        ],
      ),
    );
    expect(await read('DOMAIN_SEPARATOR')).toBe(domain);
  });

  it.each(['v, r and s', 'bytes'])('moves money by an authorization, signed as %s', async (form) => {
    const { authorization, signature } = await signAuthorization(signing());
    const before = await balanceOf(chain, chain.accounts.seller.address);
    await call(chain.accounts.gas.key, 'transferWithAuthorization', [
      ...Object.values(authorization),
      ...(form === 'bytes' ? [signature] : parts(signature)),
    ]);
    expect(await balanceOf(chain, chain.accounts.seller.address)).toBe(before + 5n);
  });

  it.each<[string, Partial<Signing>, (signature: Hex) => Hex, string]>([
    ['is not yet valid', { validAfter: secondsFromNow(60) }, same, 'authorization is not yet valid'],
    ['is expired', { validBefore: secondsFromNow(-1) }, same, 'authorization is expired'],
    ['is of another chain', { chainId: 1 }, same, 'invalid signature'],
    ['is of another account', { from: USDC }, same, 'invalid signature'],
    ['has the other of two signatures that say the same', {}, mirrored, 'invalid signature'],
    ['has a v of 0 or 1', {}, (signature) => withV(signature, 0), 'invalid signature'],
    ['has a byte too many', {}, (signature) => `${signature}00`, 'invalid signature'],
    ['wants more than there is', { value: 100_000_001n }, same, 'transfer amount exceeds balance'],
    ['pays nobody', { to: `0x${'00'.repeat(20)}` }, same, 'transfer to the zero address'],
  ])('refuses an authorization that %s', async (_, changes, change, words) => {
    const { authorization, signature } = await signAuthorization(signing(changes));
    const args = [...Object.values(authorization), change(signature)];
    await expect(call(chain.accounts.gas.key, 'transferWithAuthorization', args)).rejects.toThrow(words);
  });

  it('takes a nonce once, and knows it for its account only', async () => {
    const nonce = newNonce();
    const { authorization, signature } = await signAuthorization(signing({ nonce }));
    const args = [...Object.values(authorization), signature];
    await call(chain.accounts.gas.key, 'transferWithAuthorization', args);
    await expect(call(chain.accounts.gas.key, 'transferWithAuthorization', args)).rejects.toThrow(
      'authorization is used or canceled',
    );
    const client = createBaseClient({ rpcUrl: chain.rpcUrl });
    const stateOf = (owner: Hex) =>
      client.readContract({
        address: USDC,
        abi: TOKEN,
        functionName: 'authorizationState',
        args: [owner, nonce],
      });
    expect([await stateOf(buyer(0).address), await stateOf(buyer(1).address)]).toEqual([true, false]);
  });

  it('lets only the payee receive', async () => {
    const account = privateKeyToAccount(buyer(0).key);
    const message = {
      from: account.address,
      to: buyer(1).address,
      value: 7n,
      validAfter: 0n,
      validBefore: BigInt(secondsFromNow(300)),
      nonce: newNonce(),
    };
    const signature = await account.sign({ hash: hashTypedData({ ...RECEIVE, message }) });
    const args = [...Object.values(message), signature];
    await expect(call(chain.accounts.gas.key, 'receiveWithAuthorization', args)).rejects.toThrow(
      'caller must be the payee',
    );
    const before = await balanceOf(chain, buyer(1).address);
    await call(buyer(1).key, 'receiveWithAuthorization', args);
    expect(await balanceOf(chain, buyer(1).address)).toBe(before + 7n);
  });

  it('is an ordinary token besides', async () => {
    const [owner, spender, friend] = [buyer(2), buyer(3), getAddress(`0x${'42'.repeat(20)}`)];
    await call(owner.key, 'transfer', [friend, 3n]);
    await call(owner.key, 'approve', [spender.address, 5n]);
    await call(spender.key, 'transferFrom', [owner.address, friend, 4n]);
    await expect(call(spender.key, 'transferFrom', [owner.address, friend, 2n])).rejects.toThrow(
      'exceeds allowance',
    );
    expect(await balanceOf(chain, friend)).toBe(7n);
    await expect(call(owner.key, 'mint', [owner.address, 1n])).rejects.toThrow('caller is not a minter');
  });
});

const RECEIVE = {
  domain: { name: 'USD Coin', version: '2', chainId: 8_453, verifyingContract: USDC },
  primaryType: 'ReceiveWithAuthorization',
  types: {
    ReceiveWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
} as const;

/** Writes to the token with somebody's key; a revert is thrown before anything is sent. */
function callsOn(rpcUrl: string) {
  const chain = createBaseClient({ rpcUrl }).chain;
  return async (key: Hex, functionName: string, args: readonly unknown[]): Promise<Hex> => {
    const wallet = createWalletClient({ chain, account: privateKeyToAccount(key), transport: http(rpcUrl) });
    // The table above pairs functions with their arguments; viem looks at them again.
    return wallet.writeContract({ address: USDC, abi: TOKEN, functionName, args } as never);
  };
}

function same(signature: Hex): Hex {
  return signature;
}

function parts(signature: Hex): readonly unknown[] {
  const { r, s, v } = parseSignature(signature);
  return [Number(v), r, s];
}

function mirrored(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const high = `0x${(CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0')}` as const;
  return serializeSignature({ r, s: high, yParity: yParity === 0 ? 1 : 0 });
}

function withV(signature: Hex, v: number): Hex {
  return `0x${signature.slice(2, -2)}${v.toString(16).padStart(2, '0')}`;
}
