import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf, list, RANK } from '../../../../test/support/crawling/crawl-work.ts';
import { mergeListings } from '../../../../test/support/crawling/merge-listings.ts';
import { sized } from '../../../../test/support/sized.ts';
import { newSqlitePlace, type Place } from '../../../../test/support/storing/stores.ts';
import { listed, listedInput, network } from '../../../../tools/samples/listed.ts';
import type { ListedEndpoint } from '../../../core/crawl/listed-endpoint.ts';
import { type MicroUsd, microUsd } from '../../../core/money/micro-usd.ts';
import { parseTargetUrl } from '../../../core/url/target-url.ts';
import type { ProbeMethod } from '../../../core/verdict/probe-outcome.ts';
import type { CrawlWork } from '../../../ports/crawl-work.ts';
import { decodeEndpoint, encodeEndpoint } from './crawl-work-codec.ts';

const any = <T>(...values: T[]) => fc.constantFrom(...values);
const or = <T>(value: fc.Arbitrary<T>) => fc.option(value);
/** Every text: control characters, halves of pairs, and names that objects treat in their own way. */
const text = fc.oneof(fc.string({ unit: 'binary' }), any('__proto__', 'constructor', '7', '', '\ud800'));
const money: fc.Arbitrary<MicroUsd> = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(microUsd);
// With the prototype that every object of ours has, so that equal means strictly equal.
const OURS = { noNullPrototype: true } as const;
const claim = fc.record(
  {
    price: or(money),
    payTo: or(text),
    network: or(any(network('base'), network('solana'), network('cosmos:hub_1'))),
  },
  OURS,
);
const pairs = fc.array(fc.tuple(text, text), { maxLength: 3 });
const example = fc.record({ query: pairs, body: or(text) }, OURS);
const input = fc.record(
  {
    method: or(any<ProbeMethod>('GET', 'POST')),
    example: or(example),
    built: or(example),
    path: pairs,
    required: fc.array(text, { maxLength: 3 }),
  },
  OURS,
);
const target = fc
  .oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc
      .tuple(any('http://[::1]:81', 'https://Bücher.example.', 'http://127.1'), fc.string())
      .map(([origin, rest]) => `${origin}/${rest}`),
  )
  .map(parseTargetUrl)
  .filter((reading) => reading.kind === 'target')
  .map((reading) => reading.target);
const other = fc.tuple(claim, text).map(([one, sourceList]) => ({ ...one, sourceList }));
const said = fc.record(
  {
    service: text,
    updatedMs: fc.integer(),
    otherMethod: any<ProbeMethod>('GET', 'POST'),
    spellings: fc.array(target, { maxLength: 2 }),
    otherClaims: fc.array(other, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const endpoint: fc.Arbitrary<ListedEndpoint> = fc
  .tuple(
    fc.record({
      target,
      method: any('GET' as const, 'POST' as const),
      claim,
      input: or(input),
      list: text,
      listedIn: fc.array(text),
    }),
    said,
  )
  .map(([named, rest]) => ({ ...named, ...rest }));

describe('a listed endpoint', () => {
  it('comes back equal', () => {
    fc.assert(
      fc.property(endpoint, (value) => {
        const stored = encodeEndpoint(value);
        // No engine takes these as they are, and JSON has another spelling for both.
        expect(stored).not.toMatch(/\0|\p{Surrogate}/u);
        expect(decodeEndpoint(stored)).toStrictEqual(value);
        expect(encodeEndpoint(decodeEndpoint(stored))).toBe(stored);
      }),
      { numRuns: sized(200, 1_000) },
    );
  });

  const good = encodeEndpoint(
    listed('https://a.example/x', {
      input: listedInput({ example: { query: [['a', '1']], body: null } }),
      updatedMs: 5,
    }),
  );

  it('of an older release knew no input but an example', () => {
    const { input: _, ...older } = JSON.parse(good);
    const read = (example: unknown) => decodeEndpoint(JSON.stringify({ ...older, example })).input;
    expect(read({ query: [['a', '1']], body: null })).toEqual(decodeEndpoint(good).input);
    expect(read(null)).toBeNull();
  });

  it.each([
    ['an unknown member', '"method":"GET"', '"method":"GET","extra":1'],
    ['a missing member', '"method":"GET",', ''],
    ['another method', '"method":"GET"', '"method":"PUT"'],
    ['a price as a number', '"price":"10000"', '"price":10000'],
    ['a network by its old name', '"network":"eip155:8453"', '"network":"base"'],
    ['a parameter without a value', '["a","1"]', '["a"]'],
    ['a URL in another spelling', 'https://a.example/x', 'https://A.example/x'],
    ['a URL that is no target', 'https://a.example/x', 'ftp://a.example/x'],
    ['a time that is text', '"updatedMs":5', '"updatedMs":"5"'],
  ])('is refused with %s', (_, from, to) => {
    expect(() => decodeEndpoint(good)).not.toThrow();
    const changed = good.replace(from, to);
    expect(changed).not.toBe(good);
    expect(() => decodeEndpoint(changed)).toThrow();
  });

  it('that cannot be read does not show its URL, which may carry a secret', () => {
    const broken = good.replace('https://a.example/x', 'https://me:s3cret@a.example/');
    const fault: unknown = (() => {
      try {
        return decodeEndpoint(broken);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(fault).toBeInstanceOf(Error);
    expect(inspect(fault, { depth: null })).toContain('not the URL of a target');
    expect(inspect(fault, { depth: null })).not.toContain('s3cret');
  });
});

/** Few URLs, lists, claims and times, so that they meet. The fourth list has no rank. */
const row: fc.Arbitrary<ListedEndpoint> = fc
  .record({
    url: any('https://a.example/1', 'https://a.example/1?', 'https://a.example/2', 'http://b.example/?x=1'),
    list: any('first-list', 'second-list', 'third-list', 'fourth-list'),
    price: any(microUsd(1n), microUsd(2n), null),
    method: any('GET' as const, 'POST' as const),
    rest: any({}, { updatedMs: 1 }, { updatedMs: 2 }, { service: 'a' }, { service: 'b', updatedMs: 2 }),
  })
  .map(({ url, price, rest, ...named }) =>
    listed(url, { ...named, ...rest, claim: { price, payTo: null, network: null } }),
  );
const cuts = fc.array(fc.nat({ max: 12 }), { maxLength: 4 });
const rowsInTwoOrders = fc.array(row, { maxLength: 12 }).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    shuffled: fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
    cuts,
    otherCuts: cuts,
  }),
);

describe('the URLs of a run', () => {
  let place: Place;
  let work: CrawlWork;
  const runs = { count: 0 };

  beforeAll(async () => {
    place = await newSqlitePlace();
    work = (await place.open()).crawlWork;
  });
  afterAll(() => place.remove());

  /** Lists the rows in batches, and answers all that can be seen of the run. */
  async function seen(rows: readonly ListedEndpoint[], at: readonly number[]) {
    runs.count += 1;
    const runId = `run-${runs.count}`;
    const edges = [0, ...at.toSorted((one, other) => one - other), rows.length];
    for (const [index, start] of edges.entries()) {
      await list(work, runId, rows.slice(start, edges[index + 1] ?? start));
    }
    const lists = ['first-list', 'second-list', 'third-list', 'fourth-list'];
    return {
      progress: await work.seal(runId),
      hosts: await work.take(runId, 'me', 9, 9),
      left: [
        ...(await work.left(runId, 'a.example', null, 9)),
        ...(await work.left(runId, 'b.example', null, 9)),
      ],
      listed: await Promise.all(lists.map((name) => work.listed(runId, name, null, 9))),
    };
  }

  it('are the same in whatever order and batches they come, and as if merged in memory', async () => {
    await fc.assert(
      fc.asyncProperty(rowsInTwoOrders, async ({ rows, shuffled, cuts: at, otherCuts }) => {
        const first = await seen(rows, at);
        expect(await seen(shuffled, otherCuts)).toEqual(first);
        const merged = [...mergeListings(rows, RANK).values()].map((one) => ({
          urlKey: keyOf(one),
          endpoint: one,
        }));
        expect(new Map(first.left.map((one) => [one.urlKey, one]))).toEqual(
          new Map(merged.map((one) => [one.urlKey, one])),
        );
        const hostsOf = new Set(
          merged.map(
            ({
              endpoint: {
                target: { host },
              },
            }) => host,
          ),
        );
        expect(first.progress).toMatchObject({ hosts: hostsOf.size, urls: merged.length });
      }),
      { numRuns: sized(30, 100) },
    );
  });
});
