import { createHash, type Hash } from 'node:crypto';
import { LIST_BATCH_ROWS } from '../../core/crawl/list-limits.ts';
import type { EntryFault } from '../../core/crawl/read-listing.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/x402/read-json.ts';
import { guardKeys, scanJson } from '../../core/x402/scan-json.ts';
import {
  askList,
  bodyPieces,
  type Failed,
  fetchFailure,
  type ListFetch,
  permanent,
  transient,
} from './ask-list.ts';
import type { PageSplitter } from './split-page.ts';

/** The content of one entry; null when the text is not an entry. */
export type EntryReader<T> = (text: string | null) => Found<T> | null;

export interface Found<T> {
  readonly found: readonly T[];
  readonly faults: readonly EntryFault[];
  /** Identifies an entry, even if the list changes other members between two readings. */
  readonly mark: string;
}

export interface PageRequest<T> {
  readonly url: string;
  readonly split: () => PageSplitter;
  readonly read: EntryReader<T>;
  /** A page without a list in it is broken. */
  readonly needsEntries: boolean;
}

/** A page of a document, and the hash over the pages before it. It is copied, so that a retried page counts once. */
export interface NextPage<T> extends PageRequest<T> {
  readonly bytesBefore: Hash;
}

export interface PageRead {
  readonly kind: 'page';
  readonly entries: number;
  /** The part of the entry limit that it used. */
  readonly used: number;
  readonly items: number;
  readonly leftOut: ReadonlyMap<EntryFault, number>;
  readonly envelope: JsonObject | null;
  /** Equal for two pages with the same entries. */
  readonly digest: string;
  /** The entry limit was reached. */
  readonly isCut: boolean;
  /** Over the decoded bodies up to this page; null when the page was cut, because the rest of it was not read. */
  readonly bytes: Hash | null;
}

export interface Attempt<T> extends NextPage<T> {
  readonly fetch: ListFetch;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** Requests a page once and parses it as it arrives. */
export async function* readAttempt<T>(attempt: Attempt<T>): AsyncGenerator<readonly T[], PageRead | Failed> {
  const answer = await askList(attempt);
  if (answer.kind === 'failed') return answer;
  const splitter = attempt.split();
  const page = pageTally(attempt);
  const read = attempt.bytesBefore.copy();
  const pieces = bodyPieces(answer.body, attempt.signal);
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > attempt.maxBytes) return permanent('too_large');
      read.update(piece);
      yield* page.take(splitter.push(piece));
      if (page.isFull()) return page.end(null, read);
    }
  } catch (fault) {
    return fetchFailure(fault, attempt.signal);
  }
  const { rest, isWhole, hasEntries, envelope } = splitter.end();
  yield* page.take(rest);
  yield* page.last();
  if (attempt.needsEntries && !hasEntries) return permanent('no_entries');
  return isWhole || page.isFull() ? page.end(readEnvelope(envelope), read) : transient('cut_off');
}

interface PageTally<T> {
  take(texts: readonly (string | null)[]): Generator<readonly T[]>;
  last(): Generator<readonly T[]>;
  isFull(): boolean;
  end(envelope: JsonObject | null, read: Hash): PageRead;
}

function pageTally<T>({ read, maxEntries }: Attempt<T>): PageTally<T> {
  const leftOut = new Map<EntryFault, number>();
  const digest = createHash('sha256');
  let batch: T[] = [];
  let entries = 0;
  let items = 0;
  let used = 0;
  const add = ({ found, faults, mark }: Found<T>) => {
    entries += 1;
    used += Math.max(1, found.length + faults.length);
    items += found.length;
    batch.push(...found);
    for (const fault of faults) leftOut.set(fault, (leftOut.get(fault) ?? 0) + 1);
    digest.update(mark).update('\n');
  };
  const isFull = () => used >= maxEntries;
  function* last() {
    if (batch.length > 0) yield batch;
    batch = [];
  }
  return {
    *take(texts) {
      for (const text of texts) {
        if (isFull()) break;
        const entry = read(text);
        if (entry !== null) add(entry);
        if (batch.length >= LIST_BATCH_ROWS) yield* last();
      }
      if (isFull()) yield* last();
    },
    last,
    isFull,
    end: (envelope, read) => ({
      kind: 'page',
      entries,
      used,
      items,
      leftOut,
      envelope,
      digest: digest.digest('base64'),
      isCut: isFull(),
      bytes: isFull() ? null : read,
    }),
  };
}

const NOTHING_GUARDED = guardKeys([]);

function readEnvelope(text: string | null): JsonObject | null {
  if (text === null || scanJson(text, NOTHING_GUARDED) === 'too_deep') return null;
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
