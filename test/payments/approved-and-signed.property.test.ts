import fc from 'fast-check';
import type { PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { MAINNETS } from '../../src/core/x402/networks.ts';
import { answered, base64, ENTRY, PAYEE, POLYGON, paywall, THIEF } from '../../tools/samples/challenge.ts';
import { PAYERS, type StockPayer } from '../support/guarding/buyers/stock-payers.ts';
import { DAI, NOTHING, verdictOf } from '../support/judging.ts';
import { sized } from '../support/sized.ts';

/** Payers as they are sold. Nothing leaves this process. */
const KEY = generatePrivateKey();
const USDC = new Set(MAINNETS.map(({ usdc }) => usdc.toLowerCase()));

const signed = z.object({
  primaryType: z.literal('TransferWithAuthorization'),
  domain: z.object({ verifyingContract: z.string() }),
  message: z.object({ to: z.string(), value: z.coerce.bigint(), validBefore: z.coerce.number() }),
});

/** Everything that the payer has its wallet sign for this 402. */
async function signedBy({ pays }: StockPayer, { headers, body }: ProbeAnswer): Promise<unknown[]> {
  const wallet = privateKeyToAccount(KEY);
  const all: unknown[] = [];
  const signTypedData: PrivateKeyAccount['signTypedData'] = (typed) => {
    all.push(typed);
    return wallet.signTypedData(typed);
  };
  const seller: typeof globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init).headers;
    const isPaid = sent.has('payment-signature') || sent.has('x-payment');
    const fields = headers.map(([name, value]): [string, string] => [name, value]);
    return isPaid ? new Response('{}') : new Response(Buffer.from(body), { status: 402, headers: fields });
  };
  await pays(seller, { ...wallet, signTypedData })('https://seller.example/pay').catch(() => null);
  return all;
}

/** What a member could say instead; a change of several members is one of these, too. */
const CHANGES: readonly object[] = [
  ...['Exact', ' exact', 'upto', ['exact'], undefined].map((scheme) => ({ scheme })),
  ...['base', 'BASE', 'base-mainnet', 'eip155:08453', 'EIP155:8453', '8453', 8_453, ' base', null].map(
    (network) => ({ network }),
  ),
  ...[['eip155:8453'], ['base'], 'eip155:1'].map((network) => ({ network })),
  ...[
    PAYEE.toLowerCase(),
    PAYEE.replace('0x', '0X'),
    THIEF,
    ` ${THIEF}`,
    THIEF.slice(2),
    [THIEF],
    [PAYEE],
  ].map((payTo) => ({ payTo })),
  ...[null, '', 7, { to: THIEF }].map((payTo) => ({ payTo })),
  ...[ENTRY.asset.toLowerCase(), ENTRY.asset.replace('0x', '0X'), ` ${ENTRY.asset}`, [ENTRY.asset], null].map(
    (asset) => ({ asset }),
  ),
  ...[300, '60', 86_401, 1e9, 0, -5, [60], null, undefined].map((maxTimeoutSeconds) => ({
    maxTimeoutSeconds,
  })),
  ...[10_000, '20000', 20_000, '2e4', '0x4e20', ' 20000', '020000', '+20000', '', null, ['20000'], true].map(
    (amount) => ({ amount }),
  ),
  ...[{ maxAmountRequired: '10000' }, { maxAmountRequired: '20000' }],
  ...['10000', '20000', 20_000, ['20000']].map((maxAmountRequired) => ({
    amount: undefined,
    maxAmountRequired,
  })),
  ...[undefined, null, [], 'x'].map((extra) => ({ extra })),
  ...[
    { verifyingContract: DAI },
    { verifyingContract: ENTRY.asset },
    { chainId: 137 },
    { chainId: '8453' },
    { assetTransferMethod: 'permit2' },
    { assetTransferMethod: ['permit2'] },
    { paymentFlow: 'upfront' },
    { primaryType: 'Permit' },
  ].map((more) => ({ extra: { ...ENTRY.extra, ...more } })),
  ...[{ pay_to: THIEF }, { PayTo: THIEF }, { Amount: '20000' }, { Asset: DAI }, { Network: 'polygon' }],
  { max_timeout_seconds: 90_000 },
];
const WHOLE = { resource: 'https://seller.example/pay', description: '', mimeType: '', ...ENTRY };
const entry = fc
  .array(fc.constantFrom(...CHANGES), { maxLength: 2 })
  .map((changes) => Object.assign({}, WHOLE, ...changes));
const entries = fc.array(
  fc.oneof({ weight: 3, arbitrary: entry }, fc.constantFrom<unknown>(WHOLE, WHOLE, POLYGON, null, 'x')),
  { minLength: 1, maxLength: 3 },
);
const document = fc
  .tuple(fc.constantFrom(2, 2, 1, 1, undefined, '2'), entries)
  .map(([x402Version, accepts]) =>
    JSON.stringify({ x402Version, error: 'pay', resource: { url: 'https://seller.example/pay' }, accepts }),
  );
const inHeader = (text: string): [string, string] => ['payment-required', base64(text)];
const answer: fc.Arbitrary<ProbeAnswer> = fc.oneof(
  document.map((text) => answered({ headers: [inHeader(text)], body: Buffer.from('{}') })),
  document.map((text) => answered({ body: Buffer.from(text) })),
  document.map((text) => answered({ headers: [inHeader(text)], body: Buffer.from(text) })),
  fc
    .tuple(document, document)
    .map(([text, other]) => answered({ headers: [inHeader(text)], body: Buffer.from(other) })),
);

beforeAll(async () => {
  // A library of theirs remembers addresses that it has read, and then also takes a list of one.
  for (const payTo of [PAYEE, THIEF]) await signedBy(PAYERS.x402Fetch, paywall([{ ...ENTRY, payTo }]));
});

it('whatever a 402 of a hostile seller says, stock payers sign what was approved, or nothing (G95, G96)', async () => {
  const seen = { approved: 0, signed: 0 };
  await fc.assert(
    fc.asyncProperty(answer, async (hostile) => {
      const verdict = verdictOf(hostile, NOTHING);
      if (verdict.verdict !== 'pay') return;
      seen.approved += 1;
      for (const payer of Object.values(PAYERS)) {
        for (const one of await signedBy(payer, hostile)) {
          seen.signed += 1;
          const { domain, message } = signed.parse(one);
          expect(message.to.toLowerCase()).toBe(verdict.terms.payTo.toLowerCase());
          expect(USDC).toContain(domain.verifyingContract.toLowerCase());
          expect(message.value).toBeLessThanOrEqual(verdict.terms.amountAtomic);
          expect(message.validBefore - Date.now() / 1_000).toBeLessThanOrEqual(86_400);
        }
      }
    }),
    { numRuns: sized(1_500, 15_000) },
  );
  expect(seen.approved).toBeGreaterThan(100);
  expect(seen.signed).toBeGreaterThan(100);
});
