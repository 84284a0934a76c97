import * as z from 'zod';
import { parseTargetUrl } from '../url/target-url.ts';
import { type Path, pathOf } from './field-paths.ts';
import { fieldPlaces, LISTING_FIELDS, USUAL_ROWS } from './listing-fields.ts';
import type { Paging } from './page-walk.ts';
import type { EntryFilter, ListingShape } from './read-listing.ts';

const name = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(64);
const url = z.string().refine(isUrl, 'must be an http(s) URL without credentials');
const path = z
  .string()
  .regex(/^[\w-]+(?:\.[\w-]+)*$/, 'must be member names joined by dots')
  .max(200);
const paths = z.array(path).min(1).max(16);
const parameter = z.string().regex(/^[\w.[\]-]{1,64}$/, 'must be the name of a query parameter');
const size = z.int().min(1).max(1_000);
const values = z
  .array(z.union([z.string(), z.number(), z.boolean()]))
  .min(1)
  .max(32);
const filter = z.record(path, values).default({});

const pages = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('offset'),
    offset: parameter.default('offset'),
    limit: parameter.default('limit'),
    size,
    last_offset: z.int().min(1).optional(),
  }),
  z.strictObject({
    by: z.literal('page'),
    page: parameter.default('page'),
    first: z.int().min(0).max(1).default(1),
    limit: parameter.default('limit'),
    size,
  }),
  z.strictObject({
    by: z.literal('cursor'),
    cursor: parameter.default('cursor'),
    next: path,
    limit: parameter.default('limit'),
    size,
  }),
]);

const rows = z
  .array(z.union([path, z.literal('')]))
  .min(1)
  .max(16);

/** A document that is not a list but says where lists are. */
const via = z.strictObject({
  /** Left out: the document is one object. */
  rows: rows.optional(),
  value: path,
  urls: z
    .array(
      z.string().refine(isTemplate, 'must be a URL with {value} after its host, or begin with {origin}/'),
    )
    .min(1)
    .max(8),
});

const json = z.strictObject({
  name,
  format: z.literal('json'),
  url,
  via: z.array(via).max(3).default([]),
  at_once: z.int().min(1).max(8).default(1),
  pages: pages.optional(),
  rows: rows.default([...USUAL_ROWS]),
  fields: z.partialRecord(z.enum(LISTING_FIELDS), paths).default({}),
  only: filter,
  endpoints: paths.optional(),
  endpoints_only: filter,
  numbers: z.enum(['atomic', 'usd']).default('atomic'),
});
const markdown = z.strictObject({ name, format: z.literal('markdown'), url });
const skipped = z.strictObject({ name, format: z.literal('skipped'), note: z.string().min(1).max(200) });

const list = z.discriminatedUnion('format', [json, markdown, skipped]);

/** A step from a document to the addresses it names. */
export interface ViaStep {
  /** Null: the document is one object. */
  readonly rows: readonly string[] | null;
  readonly value: Path;
  readonly urls: readonly string[];
}

export interface JsonList {
  readonly name: string;
  readonly format: 'json';
  readonly url: string;
  readonly via: readonly ViaStep[];
  /** The number of addresses behind `via` that are requested at the same time. */
  readonly atOnce: number;
  readonly paging: Paging;
  readonly rows: readonly string[];
  readonly shape: ListingShape;
}

/** One entry of the configuration. */
export type DiscoveryList = JsonList | Readonly<z.infer<typeof markdown>> | Readonly<z.infer<typeof skipped>>;

export type ListsReading =
  | { readonly kind: 'lists'; readonly lists: readonly DiscoveryList[] }
  /** Where the first mistake is: which list, which field, and what is wrong with it. */
  | { readonly kind: 'invalid'; readonly name: string; readonly field: string; readonly problem: string };

/** Reads the configuration of discovery lists. Their order is their rank: of all lists with a URL, the first one counts. */
export function readLists(data: unknown): ListsReading {
  if (!Array.isArray(data)) return invalid('(lists)', '(file)', 'must be a list of discovery lists');
  const lists: DiscoveryList[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of data.entries()) {
    const parsed = list.safeParse(entry);
    const called = nameOf(entry) ?? `(entry ${index + 1})`;
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return invalid(called, issue?.path.join('.') || '(entry)', issue?.message ?? 'is not a discovery list');
    }
    if (seen.has(called)) return invalid(called, 'name', 'is used twice');
    seen.add(called);
    lists.push(parsed.data.format === 'json' ? jsonList(parsed.data) : parsed.data);
  }
  return { kind: 'lists', lists };
}

function jsonList(given: z.infer<typeof json>): JsonList {
  return {
    name: given.name,
    format: 'json',
    url: given.url,
    via: given.via.map((step) => ({
      rows: step.rows ?? null,
      value: pathOf(step.value),
      urls: step.urls,
    })),
    atOnce: given.at_once,
    paging: pagingOf(given.pages),
    rows: given.rows,
    shape: {
      list: given.name,
      fields: fieldPlaces(given.fields),
      numbers: given.numbers,
      only: filtersOf(given.only),
      endpoints: (given.endpoints ?? []).map(pathOf),
      endpointsOnly: filtersOf(given.endpoints_only),
    },
  };
}

function pagingOf(given: z.infer<typeof pages> | undefined): Paging {
  if (given === undefined) return { by: 'none' };
  if (given.by === 'offset') {
    const { last_offset, ...rest } = given;
    return { ...rest, lastOffset: last_offset ?? null };
  }
  return given.by === 'cursor' ? { ...given, next: pathOf(given.next) } : given;
}

function filtersOf(given: z.infer<typeof filter>): EntryFilter[] {
  return Object.entries(given).map(([member, wanted]) => ({
    path: pathOf(member),
    values: new Set(wanted.map((value) => String(value).toLowerCase())),
  }));
}

function isUrl(text: string): boolean {
  return parseTargetUrl(text).kind === 'target';
}

/** A value from an untrusted document must not choose the host, except as a whole origin, which the gate then checks. */
function isTemplate(text: string): boolean {
  if (text.startsWith('{origin}/')) return isUrl(text.replace('{origin}', 'https://a.example'));
  return /^https?:\/\/[^/{}]+\/.*\{value\}/.test(text) && isUrl(text.replace('{value}', 'a'));
}

function nameOf(entry: unknown): string | null {
  const called = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : null;
  return name.safeParse(called).success ? String(called) : null;
}

function invalid(called: string, field: string, problem: string): ListsReading {
  return { kind: 'invalid', name: called, field, problem };
}
