import { ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { behaviours, type Details } from '../behaviour.ts';
import { bazaarRow, directoryRow, explorerRow, manifestRow, type Row, readmeRow } from '../lists.ts';
import { entry, old, onNetwork } from '../offers.ts';
import { answer, type Fields, type Sell, v1, v2 } from '../seller.ts';

const rows = (of: (url: string) => readonly Row[], sell: Sell = v2([ENTRY])): Details => ({ sell, rows: of });
const thiefRow = (url: string, more: object = {}) => bazaarRow(url, more, [entry({ payTo: THIEF })]);
const LATER = { lastUpdated: '2026-11-14T08:00:00.000Z' };

const FORMATS = behaviours('honest', 'formats of lists', {
  'offers of version 2': rows((url) => [bazaarRow(url)]),
  'offers of version 1': rows((url) => [bazaarRow(url, { x402Version: 1 }, [old()])], v1([old()])),
  'the resource is an object': rows((url) => [bazaarRow(url, { resource: { url, description: 'Weather' } })]),
  'dollars in offers': rows((url) => [explorerRow(url)]),
  'dollars as text in offers': rows((url) => [explorerRow(url, { maxAmountRequired: '$0.01' })]),
  'a price beside a name of the network': rows((url) => [directoryRow(url)]),
  'a price beside CAIP-2': rows((url) => [directoryRow(url, { payment_network: 'eip155:8453' })]),
  'a URL alone': rows((url) => [manifestRow(url)]),
  'a method and a URL': rows((url) => [manifestRow(`GET ${url}`)]),
  'a line of prose': { sell: v2([ENTRY]), path: '/api/weather', rows: (url) => [readmeRow(url)] },
  'in all lists': {
    sell: v2([ENTRY]),
    path: '/api/weather',
    rows: (url) => [bazaarRow(url), explorerRow(url), directoryRow(url), manifestRow(url), readmeRow(url)],
  },
  'in another spelling of the URL': rows((url) => [bazaarRow(url), bazaarRow(`${url}/`)]),
});

const MISSING = behaviours('honest', 'listings that leave something out', {
  'no price': rows((url) => [directoryRow(url, { price_usd: null })]),
  'a price of zero': rows((url) => [directoryRow(url, { price_usd: 0 })]),
  'no payee': rows((url) => [bazaarRow(url, {}, [entry({ payTo: undefined })])]),
  'a payee that is no address': rows((url) => [bazaarRow(url, {}, [entry({ payTo: 'seller.eth' })])]),
  'no network': rows((url) => [directoryRow(url, { payment_network: null })]),
  'several networks': rows((url) => [
    directoryRow(url, { payment_network: null, networks: ['base', 'polygon'] }),
  ]),
  'no offers': rows((url) => [bazaarRow(url, {}, [])]),
  'no token': rows((url) => [bazaarRow(url, {}, [entry({ asset: undefined })])]),
  'the token by its symbol': rows((url) => [bazaarRow(url, {}, [entry({ asset: 'USDC' })])]),
});

const DISPUTED = behaviours('honest', 'disputed listings', {
  "a stranger's row behind": rows((url) => [bazaarRow(url), thiefRow(url)]),
  "a stranger's later row": rows((url) => [bazaarRow(url), thiefRow(url, LATER)]),
  "a stranger's row in another list": rows((url) => [bazaarRow(url), explorerRow(url, { payTo: THIEF })]),
  "a stranger's row in the first list": rows((url) => [thiefRow(url), explorerRow(url)]),
  "a stranger's dearer row": rows((url) => [
    bazaarRow(url),
    bazaarRow(url, LATER, [entry({ payTo: THIEF, amount: '990000' })]),
  ]),
  'three strangers': rows((url) => [
    bazaarRow(url),
    ...[1, 2, 3].map((digit) => bazaarRow(url, LATER, [entry({ payTo: `0x${String(digit).repeat(40)}` })])),
  ]),
  'an older price in the same list': rows((url) => [
    bazaarRow(url),
    bazaarRow(url, { lastUpdated: '2026-01-01T00:00:00Z' }, [entry({ amount: '5000' })]),
  ]),
  'an older price in a lower list': rows((url) => [bazaarRow(url), directoryRow(url, { price_usd: 0.005 })]),
  'one row for each network': rows(
    (url) => [bazaarRow(url), bazaarRow(url, LATER, [onNetwork('polygon')])],
    v2([ENTRY, onNetwork('polygon')]),
  ),
  'the payee in two spellings': rows((url) => [
    bazaarRow(url),
    bazaarRow(url, LATER, [entry({ payTo: PAYEE.toLowerCase() })]),
  ]),
  'a row without payee': rows((url) => [bazaarRow(url), directoryRow(url)]),
});

const trial = (status: number, fields: Fields): Sell => {
  const terms: Fields = status === 402 ? [header({ x402Version: 2, accepts: [ENTRY] })] : [];
  return () => answer(status, [...terms, ...fields], '{}');
};

const TRIALS = behaviours('honest', 'free trials', {
  'a flag with terms': trial(402, [['X-Free-Trial', 'true']]),
  'a flag and a counter with terms': trial(402, [
    ['X-Free-Trial', 'true'],
    ['X-Free-Trial-Remaining', '3'],
  ]),
  'a counter with terms': trial(402, [['x-free-trial-remaining', '1']]),
  'a flag with the goods': trial(200, [['X-Free-Trial', 'true']]),
  'a counter with the goods': trial(200, [['X-Free-Trial-Remaining', '9']]),
  'a counter in words': trial(402, [['X-Free-Trial-Remaining', 'many']]),
  'two counters': trial(402, [
    ['X-Free-Trial-Remaining', '3'],
    ['X-Free-Trial-Remaining', '2'],
  ]),
  'the trial is over': trial(402, [
    ['X-Free-Trial', 'true'],
    ['X-Free-Trial-Remaining', '0'],
  ]),
  'a flag that says no': trial(402, [['X-Free-Trial', 'false']]),
});

export const LISTED = [...FORMATS, ...MISSING, ...DISPUTED, ...TRIALS];
