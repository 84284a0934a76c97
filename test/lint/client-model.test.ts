import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { CLIENTS, type ClientName } from '../../src/core/lint/clients/client-reading.ts';
import { readByClients } from '../../src/core/lint/clients/read-by-clients.ts';
import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import {
  answered,
  base64,
  ENTRY,
  ENTRY_V1,
  PAYEE,
  POLYGON,
  paywall,
  THIEF,
} from '../../tools/samples/challenge.ts';
import { PAYERS, type PayerName } from '../support/guarding/buyers/stock-payers.ts';
import { bytes, DAI, SOLANA, SOLANA_PAYEE, USDC_ON_SOLANA } from '../support/judging.ts';
import { sized } from '../support/sized.ts';
import { HONEST, HOSTILE } from '../support/stock-challenges.ts';

/** The payers as they are sold; nothing leaves this process. */
const ACCOUNT = privateKeyToAccount(generatePrivateKey());
const PAYER_OF: Readonly<Record<ClientName, PayerName>> = {
  x402_fetch: 'x402Fetch',
  x402_axios: 'x402Axios',
  x402_fetch_v1: 'x402FetchV1',
  faremeter: 'faremeter',
};
const NAMES = Object.keys(CLIENTS) as ClientName[];

/** What the payer sent, decoded; null when it sent no payment. */
async function sentBy(name: ClientName, { headers, body }: ProbeAnswer) {
  const seen: { payment: string | null; source: 'header' | 'body' } = { payment: null, source: 'header' };
  const seller: typeof globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init).headers;
    const signature = sent.get('payment-signature');
    const payment = signature ?? sent.get('x-payment');
    if (payment !== null) {
      seen.payment ??= payment;
      seen.source = signature === null ? 'body' : 'header';
      return new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } });
    }
    const fields = headers.map(([key, value]): [string, string] => [key, value]);
    return new Response(Buffer.from(body), { status: 402, headers: fields });
  };
  await PAYERS[PAYER_OF[name]]
    .pays(
      seller,
      ACCOUNT,
    )('https://seller.example/pay')
    .catch(() => null);
  if (seen.payment === null) return null;
  return { source: seen.source, payment: JSON.parse(Buffer.from(seen.payment, 'base64').toString()) };
}

/** The entries of a place, as whoever reads that place sees them. */
function entriesOf({ headers, body }: ProbeAnswer, source: 'header' | 'body') {
  const [, value = ''] = headers.find(([key]) => key.toLowerCase() === 'payment-required') ?? [];
  const text = source === 'header' ? Buffer.from(value, 'base64').toString() : Buffer.from(body).toString();
  return JSON.parse(text).accepts;
}

/** The model's words are what the payer did. */
async function expectSame(answer: ProbeAnswer) {
  const readings = readByClients(answer);
  for (const name of NAMES) {
    const reading = readings[name];
    const sent = await sentBy(name, answer);
    if (reading.kind === 'refuses') {
      expect([name, sent]).toEqual([name, null]);
      continue;
    }
    if (sent === null) throw new Error(`${name} signed nothing, the model says entry ${reading.entry}`);
    const entry = entriesOf(answer, reading.source)[reading.entry];
    const signed = sent.payment.payload.authorization ?? sent.payment.payload.permit2Authorization;
    expect([name, sent.source]).toEqual([name, reading.source]);
    expect([name, 'permit2Authorization' in sent.payment.payload]).toEqual([name, reading.by === 'permit2']);
    if (reading.source === 'header') expect([name, sent.payment.accepted]).toEqual([name, entry]);
    if (reading.by === 'permit2') continue;
    expect([name, signed.to.toLowerCase(), String(signed.value)]).toEqual([
      name,
      entry.payTo.toLowerCase(),
      String(reading.source === 'header' ? entry.amount : entry.maxAmountRequired),
    ]);
  }
}

const RESOURCE = { url: 'https://seller.example/pay', description: 'x', mimeType: 'application/json' };
const whole = (accepts: readonly unknown[], more: object = {}) =>
  paywall(accepts, {
    headers: [
      ['payment-required', base64(JSON.stringify({ x402Version: 2, resource: RESOURCE, accepts, ...more }))],
    ],
  });
const full = (entry: object) => ({ resource: RESOURCE.url, description: '', mimeType: '', ...entry });
const body = (accepts: readonly unknown[], more: object = {}) =>
  answered({ body: bytes({ x402Version: 1, accepts, ...more }) });
const { extra: _, ...WITHOUT_EXTRA } = ENTRY;
const ON_SOLANA = { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE };

const CASES: readonly (readonly [string, ProbeAnswer])[] = [
  ['a whole header', whole([ENTRY])],
  ['no resource, which one payer needs', paywall([ENTRY])],
  ['nothing at all', answered()],
  ['text', answered({ body: new TextEncoder().encode('pay me') })],
  ['a header that is no base64', answered({ headers: [['payment-required', '%%%']] })],
  [
    'a header without padding',
    answered({ headers: [['payment-required', base64('{"a":1}').replace(/=/g, '')]] }),
  ],
  ['a header that is no JSON', answered({ headers: [['payment-required', base64('pay me')]] })],
  ['a header with null', answered({ headers: [['payment-required', base64('null')]] })],
  ['two headers', answered({ headers: [...whole([ENTRY]).headers, ...whole([ENTRY]).headers] })],
  [
    'an empty header and a body',
    answered({
      headers: [['payment-required', '']],
      body: bytes({ x402Version: 1, accepts: [full(ENTRY_V1)] }),
    }),
  ],
  ['version 1 in the header', whole([ENTRY], { x402Version: 1 })],
  ['a version as text', whole([ENTRY], { x402Version: '2' })],
  ['no list', whole([], { accepts: {} })],
  ['an empty list', whole([])],
  ['null before the entry', whole([null, ENTRY])],
  ['text before the entry', whole(['x', ENTRY])],
  ['no extra', whole([WITHOUT_EXTRA])],
  ['extra without a version', whole([{ ...ENTRY, extra: { name: 'USD Coin' } }])],
  ['an amount as a number', whole([{ ...ENTRY, amount: 10_000 }])],
  ['an amount in dollars', whole([{ ...ENTRY, amount: '0.01' }])],
  ['an amount with a sign', whole([{ ...ENTRY, amount: '$0.01' }])],
  ['no amount', whole([{ ...ENTRY, amount: undefined }])],
  ['an amount of version 1', whole([{ ...WITHOUT_EXTRA, amount: undefined, maxAmountRequired: '10000' }])],
  ['more than a dollar', whole([{ ...ENTRY, amount: '1000001' }])],
  ['a dollar', whole([{ ...ENTRY, amount: '1000000' }])],
  ['more than a dollar before a cent', whole([{ ...ENTRY, amount: '1000001' }, ENTRY])],
  ['dollars that are dear, before a cent', whole([{ ...ENTRY, amount: '1.5' }, ENTRY])],
  ['another token first', whole([{ ...ENTRY, asset: DAI }, ENTRY])],
  ['another token alone', whole([{ ...ENTRY, asset: DAI }])],
  ['a token that is no text', whole([{ ...ENTRY, asset: 7 }, ENTRY])],
  [
    'a token that is no text, on an unknown network',
    whole([{ ...ENTRY, network: 'eip155:5', asset: 7 }, ENTRY]),
  ],
  ['Solana alone', whole([ON_SOLANA])],
  ['Solana first', whole([ON_SOLANA, ENTRY])],
  ['Polygon first', whole([POLYGON, ENTRY])],
  ['a name of version 1 for the network', whole([{ ...ENTRY, network: 'base' }])],
  ['a chain that is no number', whole([{ ...ENTRY, network: 'eip155:base' }])],
  ['an unknown flow', whole([{ ...ENTRY, extra: { ...ENTRY.extra, paymentFlow: 'later' } }])],
  [
    'payment up front, before the usual',
    whole([{ ...ENTRY, amount: '7', extra: { ...ENTRY.extra, paymentFlow: 'upfront' } }, ENTRY]),
  ],
  ['a permit', whole([{ ...ENTRY, extra: { assetTransferMethod: 'permit2' } }])],
  ['a payee that is no address', whole([{ ...ENTRY, payTo: 'me' }])],
  ['a payee in small letters', whole([{ ...ENTRY, payTo: PAYEE.toLowerCase() }])],
  ['no time', whole([{ ...ENTRY, maxTimeoutSeconds: undefined }])],
  ['time that is null', whole([{ ...ENTRY, maxTimeoutSeconds: null }])],
  ['time as text', whole([{ ...ENTRY, maxTimeoutSeconds: '60' }])],
  ['half a second', whole([{ ...ENTRY, maxTimeoutSeconds: 0.5 }])],
  ['another scheme first', whole([{ ...ENTRY, scheme: 'upto' }, ENTRY])],
  ['a scheme in capitals', whole([{ ...ENTRY, scheme: 'EXACT' }])],
  ['another chain in extra', whole([{ ...ENTRY, extra: { ...ENTRY.extra, chainId: '1' } }])],
  ['another contract in extra', whole([{ ...ENTRY, extra: { ...ENTRY.extra, verifyingContract: 'x' } }])],
  ['a body of version 1', body([full(ENTRY_V1)])],
  ['a body without what version 1 needs', body([ENTRY_V1])],
  ['a body of version 2', body([ENTRY], { x402Version: 2, resource: RESOURCE })],
  ['a body without a version', body([full(ENTRY_V1)], { x402Version: undefined })],
  ['a body of another network', body([full({ ...ENTRY_V1, network: 'polygon' })])],
  [
    'a body of Solana',
    body([full({ ...ENTRY_V1, network: 'solana', payTo: SOLANA_PAYEE, asset: USDC_ON_SOLANA })]),
  ],
  ['a body with a CAIP-2 network', body([full({ ...ENTRY_V1, network: 'eip155:8453' })])],
  ['a body of more than ten cents', body([full({ ...ENTRY_V1, maxAmountRequired: '100001' })])],
  ['a body of ten cents', body([full({ ...ENTRY_V1, maxAmountRequired: '100000' })])],
  ['a body in exponent form', body([full({ ...ENTRY_V1, maxAmountRequired: '1e4' })])],
  ['a body with a number', body([full({ ...ENTRY_V1, maxAmountRequired: 10_000 })])],
  ['a body with another token first', body([full({ ...ENTRY_V1, asset: DAI }), full(ENTRY_V1)])],
  [
    'a body with the token in small letters',
    body([
      full({ ...ENTRY_V1, payTo: THIEF, asset: DAI }),
      full({ ...ENTRY_V1, asset: ENTRY.asset.toLowerCase() }),
    ]),
  ],
  ['a body with another scheme', body([full({ ...ENTRY_V1, scheme: 'upto' }), full(ENTRY_V1)])],
  ['a body without extra', body([full({ ...ENTRY_V1, extra: undefined })])],
  ['a body with extra null', body([full({ ...ENTRY_V1, extra: null })])],
  ['a body with a relative resource', body([full({ ...ENTRY_V1, resource: '/pay' })])],
  ['a body with an error that is no text', body([full(ENTRY_V1)], { error: 7 })],
];

describe('which entry stock payers sign', () => {
  it.each([...HONEST, ...HOSTILE, ...CASES])('as the model says: %s', async (_, answer) => {
    await expectSame(answer);
  });

  it('as the model says, for any mixture of what sellers send', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyEntry, { maxLength: 3 }), fc.boolean(), expectMixture), {
      numRuns: sized(60, 600),
    });
  });
});

const anyEntry = fc.record(
  {
    scheme: fc.constantFrom('exact', 'exact', 'exact', 'upto', 'Exact'),
    network: fc.constantFrom(
      'eip155:8453',
      'eip155:8453',
      'base',
      'eip155:137',
      'polygon',
      SOLANA,
      'eip155:x',
    ),
    amount: fc.constantFrom('10000', '10000', '1000001', '100001', '0.5', '1e3', '010', '', 10_000, '0x10'),
    maxAmountRequired: fc.constantFrom('10000', '10000', '100001', '0.5', '1e3', '010', '', '0x10'),
    asset: fc.constantFrom<unknown>(
      ENTRY.asset,
      ENTRY.asset,
      ENTRY.asset.toLowerCase(),
      DAI,
      USDC_ON_SOLANA,
      7,
    ),
    payTo: fc.constantFrom<unknown>(PAYEE, PAYEE, THIEF.toLowerCase(), SOLANA_PAYEE, 'x', null),
    maxTimeoutSeconds: fc.constantFrom<unknown>(60, 60, 86_401, 0.5, '60', null),
    extra: fc.constantFrom<unknown>(
      ENTRY.extra,
      ENTRY.extra,
      { ...ENTRY.extra, assetTransferMethod: 'permit2' },
      { ...ENTRY.extra, paymentFlow: 'upfront' },
      {},
      null,
    ),
    resource: fc.constantFrom(RESOURCE.url),
    description: fc.constantFrom<unknown>('', '', 7),
    mimeType: fc.constantFrom('application/json'),
  },
  { requiredKeys: ['scheme', 'network', 'asset', 'payTo', 'resource', 'description', 'mimeType'] },
);

function expectMixture(accepts: readonly object[], inHeader: boolean) {
  return expectSame(inHeader ? whole(accepts) : body(accepts));
}
