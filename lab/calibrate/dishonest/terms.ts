import { ENTRY, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { DAI, SOLANA_THIEF } from '../addresses.ts';
import { behaviours, type Details, NOWHERE } from '../behaviour.ts';
import { bazaarRow, directoryRow, explorerRow, type Row, readmeRow } from '../lists.ts';
import {
  BY_PERMIT,
  DEAR,
  entry,
  ON_SOLANA,
  ON_TESTNET,
  old,
  onNetwork,
  TO_THIEF,
  withExtra,
} from '../offers.ts';
import { answer, dual, type Sell, v1, v2 } from '../seller.ts';

const rows = (of: (url: string) => readonly Row[], sell: Sell): Details => ({ sell, rows: of });
const claimed = (asked: Details['asked'] & object, sell: Sell): Details => ({ sell, rows: NOWHERE, asked });
const crowd = (count: number) => Array.from({ length: count }, () => ENTRY);

const PAYEES = behaviours('dishonest', 'payee swapped', {
  'version 2': v2([TO_THIEF]),
  'version 1': v1([old({ payTo: THIEF })]),
  'header and body': dual([TO_THIEF], [old({ payTo: THIEF })]),
  'listed in dollars': rows((url) => [explorerRow(url)], v2([TO_THIEF])),
  'claimed by the caller': claimed({ pay_to: PAYEE }, v2([TO_THIEF])),
  'claimed in lower case': claimed({ pay_to: PAYEE.toLowerCase() }, v1([old({ payTo: THIEF })])),
  'one digit is another': v2([entry({ payTo: `${PAYEE.slice(0, -1)}d` })]),
  'the same beginning and end': v2([
    entry({ payTo: `${PAYEE.slice(0, 10)}${'0'.repeat(24)}${PAYEE.slice(-8)}` }),
  ]),
  'on Solana': rows((url) => [bazaarRow(url, {}, [ON_SOLANA])], v2([{ ...ON_SOLANA, payTo: SOLANA_THIEF }])),
  'on Solana, in other letters': rows(
    (url) => [bazaarRow(url, {}, [ON_SOLANA])],
    v2([{ ...ON_SOLANA, payTo: ON_SOLANA.payTo.toLowerCase().replaceAll('l', '1') }]),
  ),
  'cheaper than listed': v2([entry({ payTo: THIEF, amount: '9000' })]),
  'behind a free trial': () => answer(402, [...fieldsOf(v2([TO_THIEF])), ['X-Free-Trial', 'true']]),
  'only after input': {
    sell: (asked) => (asked.path.includes('city=') ? v2([TO_THIEF])(asked) : answer(400)),
    rows: (url) => [
      bazaarRow(url, {
        extensions: { bazaar: { info: { input: { method: 'GET', queryParams: { city: 'Bern' } } } } },
      }),
    ],
  },
  'only behind a redirect': (asked) =>
    asked.path === '/data' ? answer(302, [['Location', '/v2']]) : v2([TO_THIEF])(asked),
});

function fieldsOf(sell: Sell): [string, string][] {
  const { parts } = sell({ method: 'GET', path: '/data', body: '', text: '' });
  const [, value = ''] = /PAYMENT-REQUIRED: (\S+)/.exec(parts.join('')) ?? [];
  return [['PAYMENT-REQUIRED', value]];
}

const PRICES = behaviours('dishonest', 'price raised', {
  'by a millionth': v2([entry({ amount: '10001' })]),
  'five times': v2([entry({ amount: '50000' })]),
  'a thousand times': v2([entry({ amount: '10000000' })]),
  'version 1': v1([old({ maxAmountRequired: '50000' })]),
  'header and body': dual([DEAR], [old({ maxAmountRequired: '990000' })]),
  'listed in dollars': rows((url) => [directoryRow(url)], v2([DEAR])),
  'listed in prose': { sell: v2([DEAR]), path: '/api/weather', rows: (url) => [readmeRow(url)] },
  'claimed by the caller': claimed({ claimed_price: '0.01' }, v2([DEAR])),
  'claimed by the caller, in version 1': claimed(
    { claimed_price: 0.01 },
    v1([old({ maxAmountRequired: '10001' })]),
  ),
  'without any claim, beyond reason': claimed({}, v2([entry({ amount: '10000001' })])),
  'without any claim, all that there is': claimed({}, v2([entry({ amount: (2n ** 256n - 1n).toString() })])),
  'decimals that make it look small': v2([
    entry({ amount: '10000000000', extra: { ...ENTRY.extra, decimals: 12 } }),
  ]),
  'the listed price beside it in words': v2([entry({ amount: '990000', price: '$0.01' })]),
  'nothing to pay': claimed({}, v2([entry({ amount: '0' })])),
});

const ENTRIES = behaviours('dishonest', 'another entry', {
  'a thief before the seller': v2([TO_THIEF, ENTRY]),
  'a thief behind the seller': v2([ENTRY, TO_THIEF]),
  'a dearer one before': v2([DEAR, ENTRY]),
  'a dearer one behind': v2([ENTRY, DEAR]),
  'a dearer one on another network': v2([ENTRY, onNetwork('polygon', { amount: '990000' })]),
  'a thief on another network': v2([ENTRY, onNetwork('arbitrum', { payTo: THIEF })]),
  'a thief on a network that we do not support': v2([
    ENTRY,
    entry({ network: 'eip155:56', payTo: THIEF, asset: DAI }),
  ]),
  'a thief on a testnet': v2([{ ...ON_TESTNET, payTo: THIEF }, ENTRY]),
  'a thief in another token': v2([entry({ asset: DAI, payTo: THIEF, amount: '1' }), ENTRY]),
  'a thief on Solana beside another payee there': v2([
    ENTRY,
    ON_SOLANA,
    { ...ON_SOLANA, payTo: SOLANA_THIEF },
  ]),
  'a dearer one on Solana': v2([ENTRY, { ...ON_SOLANA, amount: '990000' }]),
  'an amount that cannot be read': v2([ENTRY, entry({ amount: '0990000' })]),
  'an amount with an exponent': v2([entry({ amount: '99e4' }), ENTRY]),
  'hidden behind twenty': v2([...crowd(20), TO_THIEF]),
  'a dearer one behind twenty': v2([...crowd(20), DEAR, ...crowd(3)]),
  'hidden in entry 64': v2([...crowd(63), TO_THIEF]),
  'hidden in entry 65': v2([...crowd(64), TO_THIEF]),
  'in version 1': v1([old({ payTo: THIEF }), old()]),
  'dearer in version 1': v1([old(), old({ maxAmountRequired: '990000' })]),
  'for ten years before one for a minute': v2([entry({ maxTimeoutSeconds: 315_360_000 }), ENTRY]),
  'by Permit2 before the transfer': v2([BY_PERMIT, ENTRY]),
  'by Permit2 to a thief behind the transfer': v2([ENTRY, { ...BY_PERMIT, payTo: THIEF }]),
  'by Permit2 for more behind the transfer': v2([ENTRY, { ...BY_PERMIT, amount: '990000' }]),
});

const BODIES = behaviours('dishonest', 'header and body differ', {
  'a thief in the body': dual([ENTRY], [old({ payTo: THIEF })]),
  'a thief in the header': dual([TO_THIEF], [old()]),
  'dearer in the body': dual([ENTRY], [old({ maxAmountRequired: '990000' })]),
  'another token in the body': dual([ENTRY], [old({ asset: DAI })]),
  'another network in the body': dual([ENTRY], [old({ network: 'polygon' })]),
  'one more entry in the body': dual([ENTRY], [old({ payTo: THIEF }), old()]),
  'a permit in the body': dual([ENTRY], [old({ extra: { assetTransferMethod: 'permit2' } }), old()]),
  'another contract in the body': dual([ENTRY], [old({ extra: { verifyingContract: DAI } })]),
  'a body that lenient readers understand': () =>
    answer(
      402,
      [...fieldsOf(v2([ENTRY]))],
      `{"x402Version":1,"accepts":[${JSON.stringify(old({ payTo: THIEF }))}],}`,
    ),
  'a body in another charset': () =>
    answer(
      402,
      [...fieldsOf(v2([ENTRY])), ['Content-Type', 'application/json; charset=utf-16le']],
      Buffer.from(JSON.stringify({ x402Version: 1, accepts: [old({ payTo: THIEF })] }), 'utf16le'),
    ),
  'a thief in the body, version 2': dual([ENTRY], [TO_THIEF], 2),
});

const LISTINGS = behaviours('dishonest', 'poisoned listings', {
  'a dearer row in a lower list': rows(
    (url) => [bazaarRow(url), directoryRow(url, { price_usd: 0.99 })],
    v2([DEAR]),
  ),
  'a row of another network, dearer': rows(
    (url) => [bazaarRow(url), directoryRow(url, { payment_network: 'Polygon', price_usd: 0.99 })],
    v2([onNetwork('polygon', { amount: '990000' })]),
  ),
  "a thief's row, and the caller knows the payee": {
    sell: v2([TO_THIEF]),
    rows: NOWHERE,
    asked: { pay_to: PAYEE, claimed_price: '0.01' },
  },
  "a thief's row at his price, paid dearer": rows(
    (url) => [bazaarRow(url), explorerRow(url, { payTo: THIEF, maxAmountRequired: 0.01 })],
    v2([entry({ payTo: THIEF, amount: '990000' })]),
  ),
  "a thief's row, and the seller is dearer": rows(
    (url) => [bazaarRow(url), bazaarRow(url, {}, [TO_THIEF])],
    v2([DEAR]),
  ),
});

const SIGNATURES = behaviours('dishonest', 'what would be signed', {
  'valid for a year': v2([entry({ maxTimeoutSeconds: 31_536_000 })]),
  'valid for a day and a second': v2([entry({ maxTimeoutSeconds: 86_401 })]),
  'valid for a year in version 1': v1([old({ maxTimeoutSeconds: 31_536_000 })]),
  'a time limit as text, which clients append to the time': v2([entry({ maxTimeoutSeconds: '60' })]),
  'a time limit as text in version 1': v1([old({ maxTimeoutSeconds: '60' })]),
  'a time limit in a list': v2([entry({ maxTimeoutSeconds: [60] })]),
  expired: v2([entry({ validBefore: '1794743999' })]),
  'expired, in extra': v2([withExtra({ validBefore: '2026-11-15T11:59:00Z' })]),
  'expired in one place of two': v2([
    entry({ validBefore: '1794744600', extra: { validBefore: 1_794_000_000 } }),
  ]),
  'for another contract': v2([withExtra({ verifyingContract: DAI })]),
  'for another chain': v2([withExtra({ chainId: 1 })]),
  'for another contract in version 1': v1([
    old({ extra: { name: 'USD Coin', version: '2', verifyingContract: DAI } }),
  ]),
  'by Permit2': v2([BY_PERMIT]),
  'by a method that nobody knows': v2([withExtra({ assetTransferMethod: 'approve' })]),
  'paid up front': v2([withExtra({ paymentFlow: 'upfront' })]),
  'up to an amount': v2([entry({ scheme: 'upto' })]),
  'by a scheme in capitals': v2([entry({ scheme: 'EXACT' })]),
});

export const TERMS = [...PAYEES, ...PRICES, ...ENTRIES, ...BODIES, ...LISTINGS, ...SIGNATURES];
