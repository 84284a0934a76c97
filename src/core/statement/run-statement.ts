import { decodeBase64, encodeBase64 } from '../log/base64.ts';
import { type Hash, isHash } from '../log/tree-hash.ts';
import type { ListSource } from '../receipt/crawl-run.ts';
import type { CrawlSummary } from '../receipt/crawl-summary.ts';
import { isJsonObject, parseJson } from '../x402/read-json.ts';
import { hexHash, membersOf, oneOf, optional, time, token, whole, wrong } from './read-values.ts';

/** What the log commits to for a whole run: the tree of its receipts, the lists they come from, and the counts. */
export interface RunStatement {
  readonly id: string;
  readonly crawledAt: Date;
  readonly rulesVersion: string;
  readonly size: number;
  readonly root: Hash;
  readonly sources: ReadonlyMap<string, StatedSource>;
  readonly summary: StatedCounts;
}

type StatedSource = Pick<ListSource, 'items' | 'ok' | 'sha256'>;
type StatedCounts = Pick<
  CrawlSummary,
  'endpointsCovered' | 'newThisWeek' | 'verdicts' | 'needsInput' | 'lists' | 'listedIn'
>;

const RUN_FORM = 'run/1';
const STATEMENT_MAX_CHARS = 262_144;

/** One line of ASCII in the canonical form of RFC 8785. Throws rather than write what could not be read again. */
export function writeRunStatement(statement: RunStatement): string {
  const text = textOf(statement);
  if (readRunStatement(text) === null) throw new Error('The statement of this run could not be read again.');
  return text;
}

/** Null for anything but the one text that we write for what it says. Safe on files of strangers. */
export function readRunStatement(written: string): RunStatement | null {
  if (written.length > STATEMENT_MAX_CHARS) return null;
  try {
    const statement = readValue(parseJson(written));
    return textOf(statement) === written ? statement : null;
  } catch {
    return null;
  }
}

type Value = string | number | boolean | null | undefined | ReadonlyMap<string, Value>;

function textOf({ id, crawledAt, rulesVersion, size, root, sources, summary }: RunStatement): string {
  return canonical(
    new Map<string, Value>([
      ['assay', RUN_FORM],
      ['crawled_at', crawledAt.toISOString()],
      ['id', id],
      ['root', encodeBase64(root)],
      ['rules', rulesVersion],
      ['size', size],
      ['sources', new Map([...sources].map(([name, source]) => [name, sourceMembers(source)]))],
      ['summary', countMembers(summary)],
    ]),
  );
}

function sourceMembers({ items, ok, sha256 }: StatedSource): Value {
  return new Map<string, Value>([
    ['items', items],
    ['ok', ok],
    ['sha256', sha256],
  ]);
}

function countMembers(counts: StatedCounts): Value {
  return new Map<string, Value>([
    ['endpoints_covered', counts.endpointsCovered],
    ['listed_in', counts.listedIn],
    ['lists', counts.lists],
    ['needs_input', counts.needsInput],
    ['new_this_week', counts.newThisWeek],
    ['verdicts', new Map(Object.entries(counts.verdicts))],
  ]);
}

/** Names of lists are keys, and an object would put those first that look like integers. Without a value, no member. */
function canonical(value: Value): string {
  if (!(value instanceof Map)) return JSON.stringify(value);
  const names = [...value.keys()].sort();
  const members = names.flatMap((name): string[] => {
    const one: Value = value.get(name);
    return one === undefined || one === null ? [] : [`${JSON.stringify(name)}:${canonical(one)}`];
  });
  return `{${members.join(',')}}`;
}

function readValue(value: unknown): RunStatement {
  const members = membersOf(value);
  oneOf(members('assay'), [RUN_FORM]);
  return {
    id: token(members('id')),
    crawledAt: time(members('crawled_at')),
    rulesVersion: token(members('rules')),
    size: whole(members('size')),
    root: readRoot(members('root')),
    sources: readMap(members('sources'), readSource),
    summary: readCounts(members('summary')),
  };
}

function readRoot(value: unknown): Hash {
  const root = decodeBase64(token(value));
  return root !== null && isHash(root) ? root : wrong('no root');
}

function readSource(value: unknown): StatedSource {
  const members = membersOf(value);
  const [ok, sha256] = [members('ok'), optional(members('sha256'), hexHash)];
  if (typeof ok !== 'boolean') return wrong('no flag');
  return { items: optional(members('items'), whole), ok, ...(sha256 === null ? {} : { sha256 }) };
}

function readCounts(value: unknown): StatedCounts {
  const members = membersOf(value);
  const verdicts = membersOf(members('verdicts'));
  return {
    endpointsCovered: whole(members('endpoints_covered')),
    newThisWeek: whole(members('new_this_week')),
    needsInput: whole(members('needs_input')),
    lists: readMap(members('lists'), whole),
    listedIn: readMap(members('listed_in'), whole),
    verdicts: {
      pay: whole(verdicts('pay')),
      skip: whole(verdicts('skip')),
      recheck: whole(verdicts('recheck')),
    },
  };
}

function readMap<T>(value: unknown, read: (value: unknown) => T): ReadonlyMap<string, T> {
  if (!isJsonObject(value)) return wrong('no object');
  return new Map(Object.entries(value).map(([name, one]) => [token(name), read(one)]));
}
