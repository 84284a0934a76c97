import { describe, expect, it } from 'vitest';
import {
  aPayment,
  readSigned,
  type SignedAuthorization,
  signAuthorization,
} from '../../../tools/signed-payment.ts';
import { createSignatureCheck } from './signature-check.ts';

const { signedBy } = createSignatureCheck();
const KEY = `0x${'ab'.repeat(32)}` as const;
const SELLER = '0x5e11e50000000000000000000000000000005e11';
const GOOD = { key: KEY, to: SELLER, value: 20_000n } as const;

describe('the signature of a payment, recovered here (L91)', () => {
  it.each([1, 2] as const)("is the payer's own in version %s", async (version) => {
    expect(await signedBy(await aPayment(GOOD, { version }))).toBe('payer');
  });

  it.each<
    [why: string, change: (signed: SignedAuthorization) => Partial<SignedAuthorization['authorization']>]
  >([
    ['the payer', () => ({ from: SELLER })],
    ['the payee', () => ({ to: '0x00000000000000000000000000000000000051DE' })],
    ['the amount', () => ({ value: 1n })],
    ['the start', () => ({ validAfter: 0n })],
    ['the end', ({ authorization }) => ({ validBefore: authorization.validBefore + 1n })],
    ['the nonce', () => ({ nonce: `0x${'11'.repeat(32)}` })],
  ])('is of another when %s was changed', async (_, change) => {
    const signed = await signAuthorization(GOOD);
    const changed = { ...signed, authorization: { ...signed.authorization, ...change(signed) } };
    expect(await signedBy(readSigned(changed))).toBe('another');
  });

  it('is of another when it was made for another chain', async () => {
    expect(await signedBy(await aPayment({ ...GOOD, chainId: 84_532 }))).toBe('another');
  });

  it.each<[why: string, signature: `0x${string}`, expected: string]>([
    ['no point of the curve', `0x${'77'.repeat(65)}`, 'another'],
    ['zeros', `0x${'00'.repeat(65)}`, 'another'],
    ['too short for a key', '0x12', 'not_known'],
    ['one byte too long, as a contract may want it', `0x${'77'.repeat(66)}`, 'not_known'],
    ['as long as a payment may carry', `0x${'77'.repeat(4_096)}`, 'not_known'],
  ])('%s', async (_, signature, expected) => {
    expect(await signedBy(readSigned({ ...(await signAuthorization(GOOD)), signature }))).toBe(expected);
  });
});
