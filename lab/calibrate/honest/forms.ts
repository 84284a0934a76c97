import { base64, ENTRY, ENTRY_V1, header, PAYEE } from '../../../tools/samples/challenge.ts';
import { behaviours, NOWHERE } from '../behaviour.ts';
import { bazaarRow } from '../lists.ts';
import { entry, old, onNetwork } from '../offers.ts';
import { answer, dual, inBody, inHeader, type Sell, v1, v2 } from '../seller.ts';

const V2 = { x402Version: 2, accepts: [ENTRY] };
const RESOURCE = { url: 'https://seller.example/data', description: 'Weather', mimeType: 'application/json' };
/** The usual header beside this body. */
const beside = (body: string, type: string): Sell => {
  return () => answer(402, [header(V2), ['Content-Type', type]], body);
};
const onlyPost: Sell = ({ method }) =>
  method === 'POST' ? answer(402, [header(V2)], '{}') : answer(405, [['Allow', 'POST']]);

const HEADER = behaviours('honest', 'version 2 in the header', {
  'one entry': v2([ENTRY]),
  'with its resource': v2([ENTRY], { resource: RESOURCE }),
  'with an error in words': inHeader({ ...V2, error: 'PAYMENT-SIGNATURE header is required' }),
  'with empty extensions': v2([ENTRY], { extensions: {} }),
  'without a version': inHeader({ accepts: [ENTRY] }),
  'an empty body': inHeader(V2, [], ''),
  'a body for people': beside('<html><body>Payment required</body></html>', 'text/html; charset=utf-8'),
  'a body in plain text': beside('Payment Required', 'text/plain'),
  'a body with an error only': beside('{"error":"payment_required","price":"$0.01"}', 'application/json'),
  'a body that is a list': beside('["payment required"]', 'application/json'),
  'a body with the version only': beside('{"x402Version":2,"error":"pay"}', 'application/json'),
  'a body with an empty list': beside('{"x402Version":2,"accepts":[]}', 'application/json'),
  'the payee in lower case': v2([entry({ payTo: PAYEE.toLowerCase() })]),
  'the payee in upper case': v2([entry({ payTo: `0x${PAYEE.slice(2).toUpperCase()}` })]),
  'the token in lower case': v2([entry({ asset: ENTRY.asset.toLowerCase() })]),
  'the network by its old name': v2([entry({ network: 'base' })]),
  'by POST': {
    sell: onlyPost,
    rows: (url) => [bazaarRow(url, { method: 'POST' })],
    asked: { method: 'POST' },
  },
});

const BODY = behaviours('honest', 'version 1 in the body', {
  'one entry': v1([old()]),
  'only the members that must be there': v1([ENTRY_V1]),
  'the mainnet by its long name': v1([old({ network: 'base-mainnet' })]),
  'the network as CAIP-2': v1([old({ network: 'eip155:8453' })]),
  'an amount as a number': v1([old({ maxAmountRequired: 10_000 })]),
  'both names of the amount': v1([old({ amount: '10000' })]),
  'a null amount of version 2': v1([old({ maxAmountRequired: '10000', outputSchema: null })]),
  'with an output schema': v1([
    old({ outputSchema: { input: { type: 'http', method: 'GET' }, output: { city: 'string' } } }),
  ]),
  'without extra': v1([old({ extra: undefined })]),
  'extra is null': v1([old({ extra: null })]),
  'without the version': inBody({ accepts: [old()] }),
  'version 2 in the body': inBody({ x402Version: 2, accepts: [ENTRY] }),
  'as plain text': () =>
    answer(402, [['Content-Type', 'text/plain']], JSON.stringify({ x402Version: 1, accepts: [old()] })),
  'without a content type': () => answer(402, [], JSON.stringify({ x402Version: 1, accepts: [old()] })),
  'with a byte order mark': () =>
    answer(402, [], `\ufeff${JSON.stringify({ x402Version: 1, accepts: [old()] })}`),
  'in many lines': () => answer(402, [], JSON.stringify({ x402Version: 1, accepts: [old()] }, null, 4)),
  'words in other scripts': v1([old({ description: 'Wetter für 東京 ☀️' })]),
  'an empty header beside it': inBody({ x402Version: 1, accepts: [old()] }, [['PAYMENT-REQUIRED', '']]),
  'a payer address': v1([old()], { payer: '' }),
});

const BOTH = behaviours('honest', 'header and body agree', {
  'version 2 twice': dual([ENTRY], [ENTRY], 2),
  'version 2 and version 1': dual([ENTRY], [old()]),
  'the body has more words': dual([ENTRY], [old({ description: 'more', outputSchema: {} })]),
  'two networks in both': dual(
    [ENTRY, onNetwork('polygon')],
    [old(), old({ ...onNetwork('polygon'), network: 'polygon', amount: undefined })],
  ),
  'two networks in the header, one in the body': dual([ENTRY, onNetwork('polygon')], [old()]),
  'the payee in other letters': dual([ENTRY], [old({ payTo: PAYEE.toLowerCase() })]),
  'the token in other letters': dual([ENTRY], [old({ asset: ENTRY.asset.toLowerCase() })]),
  'another time limit in the body': dual([ENTRY], [old({ maxTimeoutSeconds: 300 })]),
  'the header again in a member of the body': beside(
    JSON.stringify({ error: 'pay', paymentRequired: base64(JSON.stringify(V2)) }),
    'application/json',
  ),
});

const CLAIMED = behaviours('honest', 'unlisted, with or without claims', {
  'no claim': { sell: v2([ENTRY]), rows: NOWHERE },
  'the price': { sell: v2([ENTRY]), rows: NOWHERE, asked: { claimed_price: '0.01' } },
  'the price as a number': { sell: v2([ENTRY]), rows: NOWHERE, asked: { claimed_price: 0.01 } },
  'the payee': { sell: v2([ENTRY]), rows: NOWHERE, asked: { pay_to: PAYEE } },
  'the payee in lower case': { sell: v2([ENTRY]), rows: NOWHERE, asked: { pay_to: PAYEE.toLowerCase() } },
  'the network': { sell: v2([ENTRY]), rows: NOWHERE, asked: { network: 'eip155:8453' } },
  'the network by its name': { sell: v1([old()]), rows: NOWHERE, asked: { network: 'base' } },
  'all three': {
    sell: v1([old()]),
    rows: NOWHERE,
    asked: { claimed_price: '0.010000', pay_to: PAYEE, network: 'eip155:8453' },
  },
  'version 1 without a claim': { sell: v1([old()]), rows: NOWHERE },
  'both forms without a claim': { sell: dual([ENTRY], [old()]), rows: NOWHERE },
  'claims that agree with a listing': { sell: v2([ENTRY]), asked: { claimed_price: '0.01', pay_to: PAYEE } },
  'a claim that a stale listing contradicts': {
    sell: v2([entry({ amount: '20000' })]),
    rows: NOWHERE,
    asked: { claimed_price: '0.02' },
  },
});

export const FORMS = [...HEADER, ...BODY, ...BOTH, ...CLAIMED];
