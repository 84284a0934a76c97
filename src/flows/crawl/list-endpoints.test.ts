import { describe, expect, it } from 'vitest';
import { LISTED, listed } from '../../../tools/samples/listed.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import { listingsOf } from '../../core/crawl/listed-endpoint.ts';
import { mergeListed, rankLists } from '../../core/crawl/merge-listed.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import type { DiscoverySource } from '../../ports/discovery.ts';
import { type ListingPorts, listEndpoints } from './list-endpoints.ts';

const rank = rankLists(['first-list', 'open-list']);
const claimed = (list: string, cents: number) =>
  listed('https://a.example/x', { list, claim: { ...LISTED, price: microUsd(BigInt(cents)) } });

describe('the rows of a list that failed', () => {
  it('keep only its own claims', async () => {
    const [row] = await copied('open-list', [claimed('first-list', 1), claimed('open-list', 2)]);
    expect(row).toMatchObject({ list: 'open-list', listedIn: ['open-list'], claim: { price: 2n } });
    expect(row).not.toHaveProperty('otherClaims');
  });

  it('keep every claim of a flood, so that it stays known as one (G99)', async () => {
    const flood = Array.from({ length: 9 }, (_, index) => claimed('open-list', 10 + index));
    const [row] = await copied('open-list', [claimed('first-list', 1), ...flood]);
    expect(row).toMatchObject({ list: 'open-list', listedIn: ['open-list'], claim: { price: 10n } });
    const claims = row === undefined ? [] : listingsOf(row);
    expect(claims.map(({ price, sourceList }) => [sourceList, price])).toEqual([
      ['open-list', 10n],
      ['first-list', 1n],
      ['open-list', 11n],
      ['open-list', 12n],
      ['open-list', 13n],
      ['open-list', 14n],
      ['open-list', 15n],
      ['open-list', 16n],
    ]);
  });

  it('keep every claim of a flood of other lists', async () => {
    const flood = Array.from({ length: 9 }, (_, index) => claimed('first-list', 10 + index));
    const [row] = await copied('open-list', [claimed('open-list', 1), ...flood]);
    expect(row).toMatchObject({ list: 'open-list', claim: { price: null, payTo: null } });
    expect(row?.otherClaims).toHaveLength(8);
  });
});

/** The rows of a run in which this list failed, after one with these rows of one URL. */
async function copied(list: string, rows: readonly ListedEndpoint[]): Promise<readonly ListedEndpoint[]> {
  const previous = rows.reduce((left, right) => mergeListed(left, right, rank));
  const taken: ListedEndpoint[] = [];
  const ports: ListingPorts = {
    work: {
      list: async (_, endpoints) => void taken.push(...endpoints),
      listed: async (_, __, after) => (after === null ? [{ urlKey: 'key', endpoint: previous }] : []),
    },
    keyOf: () => 'key',
    rank,
    isBlocked: () => false,
    limit: null,
  };
  await listEndpoints('run', failing(list), { runId: 'before', size: 1, earlier: [] }, ports);
  return taken;
}

function failing(name: string): DiscoverySource {
  const outcome = { fault: { kind: 'unreachable' }, items: 0, leftOut: new Map(), announced: null } as const;
  return {
    name,
    async *read() {
      yield { kind: 'ended', outcome: { kind: 'failed', ...outcome } };
    },
  };
}
