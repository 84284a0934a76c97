import { readFileSync } from 'node:fs';
import { isAddress as isChecksummed } from 'viem';
import { describe, expect, it } from 'vitest';
import { VERIFY_CAPS } from '../known-answer/verify-caps.ts';
import { microUsd } from '../money/micro-usd.ts';
import { blockRule, publicWeb } from '../url/gate.ts';
import { isPathTemplate } from '../url/path-template.ts';
import { publicAddresses } from '../url/public-address.ts';
import { isAddress } from '../x402/address.ts';
import { readCatalog, type Service, service } from './read-catalog.ts';

const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() });
const data: unknown = JSON.parse(
  readFileSync(new URL('../../../catalog/services.json', import.meta.url), 'utf8'),
);
const reading = readCatalog(data);
const services: readonly Service[] = reading.kind === 'catalog' ? reading.services : [];
const graded = services.filter(({ knownAnswer }) => knownAnswer !== null);
const kindsOfReferences = graded.flatMap(({ knownAnswer }) =>
  Object.values(knownAnswer?.references ?? {}).map(({ kind }) => kind),
);

describe('the catalog that comes with the project', () => {
  it('is accepted', () => {
    expect(reading).toMatchObject({ kind: 'catalog' });
  });

  it('has enough services and tasks to be worth asking', () => {
    expect(services.length).toBeGreaterThanOrEqual(15);
    expect(new Set(services.flatMap(({ tasks }) => tasks)).size).toBeGreaterThanOrEqual(12);
  });

  it('knows the right answer of all of them', () => {
    expect(services.filter(({ knownAnswer }) => knownAnswer === null).map(({ id }) => id)).toEqual([]);
  });

  it('compares with contracts, documents and our clock', () => {
    expect([...new Set(kindsOfReferences)].sort()).toEqual(['clock', 'eth_call', 'http_json']);
  });

  it('is in the order of its ids, each used once', () => {
    const ids = services.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('has each endpoint and method once', () => {
    const calls = services.map(({ method, endpoint }) => `${method} ${endpoint.normalized}`);
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([]);
  });
});

/** By the names that the listings have for them. */
const PATH_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'onesource-ens-lookup': ['input'],
  'onesource-transaction': ['hash'],
  'paysponge-place-details': ['locationId'],
};

/** Their URL says all there is to ask. */
const NEED_NO_QUERY = new Set([
  'kronos-bitcoin-price',
  'otto-crypto-news',
  'otto-fx-rates',
  'paysponge-place-details',
  'riddle-oracle',
]);

/** Hosts that sellers use for their own tests. */
const TRIAL_HOST = /(?:^|[.-])(?:staging|stage|dev|test|sandbox|preview|demo)(?:[.-]|$)/;

describe.each(services.map((one) => [one.id, one] as const))('%s', (id, one) => {
  it('is a service by itself', () => {
    const entry = Array.isArray(data) ? data.find((each) => each.id === id) : undefined;
    expect(service.safeParse(entry).error).toBeUndefined();
    expect(one.tasks.length).toBeGreaterThan(0);
    expect(one.tasks).toEqual([...new Set(one.tasks)].sort());
  });

  it('is a place on the public web, without blanks to fill in', () => {
    expect(blockRule(one.endpoint, policy)).toBeNull();
    expect(one.endpoint.scheme).toBe('https');
    expect(isPathTemplate(one.endpoint.pathAndQuery)).toBe(false);
    // The last label is a top-level domain, such as .dev.
    expect(one.endpoint.host.replace(/\.[a-z]+$/, '')).not.toMatch(TRIAL_HOST);
  });

  it('has a sane price on Base', () => {
    expect(one.network.network).toBe('eip155:8453');
    expect(one.price).toBeGreaterThan(microUsd(0n));
    expect(one.price).toBeLessThanOrEqual(microUsd(1_000_000n));
  });

  it('pays to an address of the network without a mistyped letter', () => {
    expect(isAddress(one.payTo ?? '', one.network.addresses)).toBe(true);
    // Letters of both cases carry a checksum; of one case they carry none.
    expect(isChecksummed(one.payTo ?? '', { strict: true })).toBe(true);
  });

  it('marks the arguments in its path', () => {
    const listed = one.path_parameters.map(({ name }) => name);
    expect(listed).toEqual(PATH_PARAMETERS[id] ?? []);
  });
});

describe.each(graded.map((one) => [one.id, one] as const))('the known answer of %s', (id, one) => {
  it('can be asked for: within the cap, with all that it takes', () => {
    expect(one.price).toBeLessThanOrEqual(VERIFY_CAPS.perCall);
    if (one.method === 'POST') expect(one.example.body).toBeTypeOf('object');
    else expect(one.example.query !== undefined || NEED_NO_QUERY.has(id)).toBe(true);
  });

  it('compares with sources on the public web, over TLS, on contracts without a mistyped letter', () => {
    for (const reference of Object.values(one.knownAnswer?.references ?? {})) {
      if (reference.kind === 'http_json') {
        expect([reference.url.scheme, blockRule(reference.url, policy)]).toEqual(['https', null]);
        expect(reference.url.host).not.toBe(one.endpoint.host);
      }
      if (reference.kind === 'eth_call') expect(isChecksummed(reference.to, { strict: true })).toBe(true);
    }
  });
});
