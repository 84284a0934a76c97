import { expect, it } from 'vitest';
import { aService } from '../../../tools/samples/catalog.ts';
import { publicWeb } from '../url/gate.ts';
import { publicAddresses } from '../url/public-address.ts';
import { exampleService } from './example-service.ts';

const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(['own.example.com']) });
const pay_to = '0x1111111111111111111111111111111111111111';
const plain = { id: 'plain', endpoint: 'https://plain.example.com/now', price_usd: '0.02' };

type Entry = Parameters<typeof aService>[0];

it.each<[string, Entry[], string | null]>([
  ['there is none', [], null],
  ['one', [plain], 'plain'],
  ['a later one with a payee', [plain, { ...plain, id: 'payee', pay_to }], 'payee'],
  ['the first of two alike', [plain, { ...plain, id: 'other' }], 'plain'],
  ['POST does not do', [{ ...plain, method: 'POST' }], null],
  ['nor a query', [{ ...plain, endpoint: 'https://plain.example.com/now?x=1' }], null],
  ['nor our own host', [{ ...plain, endpoint: 'https://own.example.com/now' }], null],
  ['nor a broken one', [{ ...plain, facts_only: 'broken' }], null],
])('the example: %s', (_, entries, id) => {
  expect(
    exampleService(
      entries.map((entry) => aService(entry)),
      policy,
    )?.id ?? null,
  ).toBe(id);
});
