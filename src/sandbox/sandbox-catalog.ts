import { readCatalog, type Service } from '../core/catalog/read-catalog.ts';
import { formatUsd } from '../core/money/micro-usd.ts';
import type { OpenSeller } from './sellers/start-sellers.ts';

interface Entry {
  readonly task: string;
  readonly knownAnswer: object;
}

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const HASH: Entry = {
  task: 'text-hash',
  knownAnswer: {
    input: 'The text hello.',
    pass_if: 'The answer has the SHA-256 of it.',
    predicates: [{ kind: 'equals', path: '$.sha256', to: { value: HELLO } }],
  },
};

/** The sellers with a known answer. Others deliver as well, and are neither in the catalog nor graded. */
const ENTRIES: ReadonlyMap<string, Entry> = new Map([
  [
    'currency',
    {
      task: 'currency-conversion',
      knownAnswer: {
        input: '100 USD in EUR.',
        pass_if: 'The result is 92 EUR.',
        predicates: [{ kind: 'number_near', path: '$.result', to: { value: 92 }, tolerance: 0.01 }],
      },
    },
  ],
  ['hash', HASH],
  [
    'factors',
    {
      task: 'prime-factors',
      knownAnswer: {
        input: 'The number 360.',
        pass_if: 'There are six prime factors, smallest first, and the largest is 5.',
        predicates: [
          { kind: 'at_least', path: '$.factors', items: 6 },
          { kind: 'sorted_by', path: '$.factors', by: '$', order: 'ascending' },
          { kind: 'equals', path: '$.factors[-1]', to: { value: 5 } },
        ],
      },
    },
  ],
  ['junk', HASH],
]);

/** The catalog for the sandbox's known-answer runner and lookups. */
export function sandboxCatalog(sellers: readonly OpenSeller[]): readonly Service[] {
  const reading = readCatalog(sellers.flatMap(entryOf));
  if (reading.kind === 'invalid')
    throw new Error(`the sandbox's catalog: ${reading.id}: ${reading.field} ${reading.problem}`);
  return reading.services;
}

function entryOf({ name, about, url, method, claims, example }: OpenSeller): object[] {
  const entry = ENTRIES.get(name);
  if (entry === undefined) return [];
  return [
    {
      id: `sandbox-${name}`,
      name: `Sandbox ${name}`,
      provider: 'the sandbox',
      category: 'sandbox',
      description: about,
      endpoint: url,
      method,
      price_usd: formatUsd(claims.amount),
      network: claims.network,
      pay_to: claims.payTo,
      tasks: [entry.task],
      example: method === 'POST' ? { body: example } : { query: example },
      source: { list: 'sandbox', seen_on: '2026-11-15' },
      known_answer: entry.knownAnswer,
    },
  ];
}
