import { type Catalog, lookUpServices } from '../flows/lookup/look-up-services.ts';
import { type LookupRequest, readLookupRequest } from '../wire/requests/lookup-request.ts';
import type { Reading } from '../wire/requests/reading.ts';
import type { Links } from '../wire/responses/links.ts';
import { lookupFindingsJson } from '../wire/responses/lookup-response.ts';
import { octetsOf } from './answer.ts';
import { type BoundedCache, boundedCache } from './bounded-cache.ts';

/** A lookup as it was asked for; `question` is the same for all who ask the same. */
export interface Asked extends LookupRequest {
  readonly question: string;
}

export type ReadLookup = (query: string) => Reading<Asked>;

const READINGS_MAX = 1_000;
const READ_QUERY_MAX_CHARS = 512;

/** Many ask the same, and reading a query takes longer than answering it. */
export function rememberedReadings(): ReadLookup {
  const readings = boundedCache<Reading<Asked>>(READINGS_MAX);
  return (query) => {
    const known = readings.get(query);
    if (known !== undefined) return known;
    const reading = read(query);
    if (query.length <= READ_QUERY_MAX_CHARS) readings.set(query, reading);
    return reading;
  };
}

function read(query: string): Reading<Asked> {
  const reading = readLookupRequest(query);
  if (reading.kind !== 'read') return reading;
  const { task, endpoint, maxPrice, n, limit } = reading.value.query;
  const question = [task, endpoint, maxPrice, n, limit].join('\n');
  return { kind: 'read', value: { ...reading.value, question } };
}

/** JSON that is open at its end, for the members that follow; also as octets, which most answers are made of. */
export interface Findings {
  readonly text: string;
  readonly octets: string;
}

/** At once where they are remembered, as most are. */
export type FindingsFor = (asked: Asked, links: Links, at: Date) => Findings | Promise<Findings>;

/** New paid calls show after at most this long; until then everybody who asks the same gets the same findings. */
const FRESH_MS = 5_000;
const FINDINGS_MAX = 500;

interface Kept {
  readonly findings: Findings | Promise<Findings>;
  readonly until: number;
}

/** For each public address by itself, of which there are three at most. */
export function rememberedFindings(catalog: Catalog): FindingsFor {
  const caches = new Map<Links, BoundedCache<Kept>>();
  const cacheFor = (links: Links) => {
    const cache = caches.get(links) ?? boundedCache<Kept>(FINDINGS_MAX);
    caches.set(links, cache);
    return cache;
  };
  return ({ query, question }, links, at) => {
    const kept = caches.get(links) ?? cacheFor(links);
    const known = kept.get(question);
    if (known !== undefined && at.getTime() < known.until) return known.findings;
    const until = at.getTime() + FRESH_MS;
    const coming = lookUpServices(query, catalog, at).then((found) => {
      const text = JSON.stringify(lookupFindingsJson(query, found, links)).slice(0, -1);
      const findings = { text, octets: octetsOf(text) };
      kept.set(question, { findings, until });
      return findings;
    });
    kept.set(question, { findings: coming, until });
    coming.catch(() => kept.set(question, { findings: coming, until: 0 }));
    return coming;
  };
}
