import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { blockRule, publicWeb } from '../url/gate.ts';
import { isPathTemplate } from '../url/path-template.ts';
import { publicAddresses } from '../url/public-address.ts';
import { readCatalog, type Service } from './read-catalog.ts';

const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() });
const reading = readCatalog(
  JSON.parse(readFileSync(new URL('../../../catalog/services.json', import.meta.url), 'utf8')),
);
const services: readonly Service[] = reading.kind === 'catalog' ? reading.services : [];
const idsWhere = (broken: (service: Service) => boolean) => services.filter(broken).map(({ id }) => id);

describe('the catalog that comes with the project', () => {
  it('is accepted', () => {
    expect(reading).toMatchObject({ kind: 'catalog' });
  });

  it('has enough services and tasks to be worth asking', () => {
    expect(services.length).toBeGreaterThanOrEqual(15);
    expect(new Set(services.flatMap(({ tasks }) => tasks)).size).toBeGreaterThanOrEqual(12);
  });

  it('is in the order of its ids, each used once', () => {
    const ids = services.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('has each endpoint and method once', () => {
    const calls = services.map(({ method, endpoint }) => `${method} ${endpoint.normalized}`);
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([]);
  });

  it.each<[string, (service: Service) => boolean]>([
    ['an endpoint that the gate blocks', ({ endpoint }) => blockRule(endpoint, policy) !== null],
    ['an endpoint with a placeholder', ({ endpoint }) => isPathTemplate(endpoint.pathAndQuery)],
    [
      'a price that is free or beyond 10 USD',
      ({ price }) => price <= microUsd(0n) || price > microUsd(10_000_000n),
    ],
  ])('has no service with %s', (_, broken) => {
    expect(idsWhere(broken)).toEqual([]);
  });
});
