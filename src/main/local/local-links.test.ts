import { expect, it } from 'vitest';
import { withoutLinks } from './local-links.ts';

const AT = 'http://assay.invalid';

it.each<[string, object, object]>([
  [
    'a receipt is a command',
    {
      receipt_url: `${AT}/v1/receipts/sc-00010203fcfdfeff`,
      rows: [{ permalink: `${AT}/v1/receipts/00010203ff` }],
    },
    {
      receipt_url: 'assay receipt --local sc-00010203fcfdfeff',
      rows: [{ permalink: 'assay receipt --local 00010203ff' }],
    },
  ],
  [
    'the tasks are a command',
    { links: { tasks: `${AT}/v1/tasks` } },
    { links: { tasks: 'assay tasks --local' } },
  ],
  [
    'the type of a problem is the usual one',
    { type: `${AT}/problems#x`, status: 1 },
    { type: 'about:blank', status: 1 },
  ],
  [
    'what nobody serves is left out',
    { a: 1, openapi: `${AT}/openapi.json`, hint: `GET ${AT}/x answers` },
    { a: 1 },
  ],
  [
    'what holds for a service alone is said of this machine',
    {
      access: { tier: 'exempt', note: 'self-test key: not metered and not charged' },
      detail:
        'There is no receipt for this URL yet. check_now runs a dry run: one unpaid request and a public receipt, never an approval.',
      check_now: `${AT}/v1/products/endpoint-spot-check?mode=dry-run&url=https%3A%2F%2Fa.example%2F`,
    },
    {
      access: { tier: 'exempt', note: 'on this machine nothing is metered or charged' },
      detail: 'There is no receipt for this URL yet. endpoint_spot_check makes one.',
    },
  ],
  [
    'other addresses stay',
    { url: `https://a.example/?to=${AT}/v1/receipts/0`, n: 1.5, none: null },
    { url: `https://a.example/?to=${AT}/v1/receipts/0`, n: 1.5, none: null },
  ],
])('%s', (_, sent, told) => {
  expect(JSON.parse(withoutLinks(JSON.stringify(sent)))).toEqual(told);
});
