import { createHash } from 'node:crypto';
import { valueAt } from '../../core/crawl/field-paths.ts';
import type { ListFault } from '../../core/crawl/list-outcome.ts';
import type { ViaStep } from '../../core/crawl/list-settings.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { isJsonObject, parseJson } from '../../core/x402/read-json.ts';
import { guardKeys, scanJson } from '../../core/x402/scan-json.ts';
import type { DocumentSum } from './document-sum.ts';
import { hostBatches, siteLimit } from './host-limits.ts';
import type { Found } from './read-attempt.ts';
import { type Patience, type Reading, readPage } from './read-page.ts';
import { splitJson } from './split-json.ts';

export interface Addresses {
  readonly urls: readonly string[];
  /** The number of documents without an address. */
  readonly failures: number;
  /** The fault of the last of them. */
  readonly fault: ListFault | null;
}

export interface AddressSearch {
  readonly url: string;
  readonly via: readonly ViaStep[];
  readonly atOnce: number;
}

/** Follows the `via` documents of a list to the addresses of its entries. */
export async function findAddresses(
  reading: Reading,
  { url, via, atOnce }: AddressSearch,
  documents: DocumentSum,
): Promise<Addresses> {
  const { requestMs, tries, addressMs, addressTries } = reading.parts.limits;
  let patience: Patience = { requestMs, tries };
  let urls: readonly string[] = [url];
  let failures = 0;
  for (const [depth, step] of via.entries()) {
    const end = await follow(reading, step, { urls, atOnce, patience, documents });
    if (depth === 0 && end.fault !== null) return { urls: [], failures: 0, fault: end.fault };
    failures += end.failures;
    urls = end.urls;
    patience = { requestMs: addressMs, tries: addressTries };
  }
  return { urls, failures, fault: null };
}

interface Stage {
  readonly urls: readonly string[];
  readonly atOnce: number;
  readonly patience: Patience;
  readonly documents: DocumentSum;
}

/** Reads the documents of one step, a few at a time, until there are enough addresses. */
async function follow(
  reading: Reading,
  step: ViaStep,
  { urls, atOnce, patience, documents }: Stage,
): Promise<Addresses> {
  const { addresses } = reading.parts.limits;
  const found = new Set<string>();
  const isAdmitted = siteLimit();
  let failures = 0;
  let fault: ListFault | null = null;
  for (const batch of hostBatches(urls, atOnce)) {
    if (found.size >= addresses) break;
    for (const end of await Promise.all(batch.map((url) => addressesIn(reading, url, step, patience)))) {
      failures += end.fault === null ? 0 : 1;
      if (end.fault === null) documents.add(end.document, end.sha256);
      fault = end.fault ?? fault;
      for (const url of end.urls.filter(isAdmitted)) found.add(url);
    }
  }
  return { urls: [...found].slice(0, addresses), failures, fault };
}

/** The addresses that one document names. */
async function addressesIn(reading: Reading, url: string, step: ViaStep, patience: Patience) {
  const urls: string[] = [];
  const isAdmitted = siteLimit();
  const request = {
    url,
    split: () => splitJson(step.rows ?? []),
    read: (text: string | null) => foundUrls(text, step),
    needsEntries: step.rows !== null,
    bytesBefore: createHash('sha256'),
  };
  const pages = readPage(reading, request, patience);
  for (let part = await pages.next(); ; part = await pages.next()) {
    if (part.done === true) {
      if (part.value.kind === 'failed') return { urls: [], fault: part.value.fault };
      const sha256 = part.value.bytes?.digest('hex') ?? null;
      const own = step.rows === null && part.value.envelope !== null ? urlsOf(part.value.envelope, step) : [];
      return { urls: [...urls, ...own], fault: null, document: url, sha256 };
    }
    urls.push(...part.value.filter(isAdmitted).slice(0, reading.parts.limits.addresses - urls.length));
  }
}

const NOTHING_GUARDED = guardKeys([]);

function foundUrls(text: string | null, step: ViaStep): Found<string> {
  if (text === null) return { found: [], faults: ['too_large'], mark: '' };
  if (scanJson(text, NOTHING_GUARDED) === 'too_deep') return { found: [], faults: ['too_deep'], mark: '' };
  const found = urlsOf(parseJson(text), step);
  return { found, faults: found.length === 0 ? ['bad_url'] : [], mark: '' };
}

function urlsOf(document: unknown, { value, urls }: ViaStep): string[] {
  const named = isJsonObject(document) ? valueAt(document, value) : document;
  if (typeof named !== 'string' || named === '' || named.length > VALUE_MAX_CHARS) return [];
  return urls.flatMap((template) => {
    const filled = fill(template, named);
    return filled !== null && parseTargetUrl(filled).kind === 'target' ? [filled] : [];
  });
}

const VALUE_MAX_CHARS = 500;

function fill(template: string, value: string): string | null {
  if (!template.startsWith('{origin}')) return fillPart(template, value);
  const site = parseTargetUrl(value);
  if (site.kind !== 'target') return null;
  const { scheme, authority } = site.target;
  return template.replace('{origin}', () => `${scheme}://${authority}`);
}

/** One path segment or query value, never more. Dots alone would lead upwards, even when encoded. */
function fillPart(template: string, value: string): string | null {
  if (/^\.{1,2}$/.test(value)) return null;
  // A lone surrogate has no encoding.
  const whole = value.replace(/\p{Surrogate}/gu, '\ufffd');
  return template.replace('{value}', () => encodeURIComponent(whole));
}
