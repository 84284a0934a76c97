import { order } from '../order.ts';

/** The parts of a parsed URL: the parser has lower-cased scheme and host and dropped a default port. */
export interface UrlParts {
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

/**
 * The de-duplication key: no fragment, no trailing slash, sorted query. Nothing is decoded or encoded again (gap G93):
 * two spellings that a server may tell apart stay two URLs.
 */
export function normalizeUrl({ origin, path, query }: UrlParts): string {
  const place = origin + withoutTrailingSlash(path);
  if (query === '') return place;
  const parts = query
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '');
  const sorted = parts
    .map(splitPart)
    .sort(byKeyThenValue)
    .map(({ text }) => text);
  return place + (sorted.length === 0 ? '' : `?${sorted.join('&')}`);
}

function withoutTrailingSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === '/') end -= 1;
  return path.slice(0, end);
}

interface QueryPart {
  readonly key: string;
  readonly text: string;
}

function splitPart(text: string): QueryPart {
  const equals = text.indexOf('=');
  return { key: equals === -1 ? text : text.slice(0, equals), text };
}

/** Behind equal keys the texts differ in their values only; 'a' comes before 'a='. */
function byKeyThenValue(left: QueryPart, right: QueryPart): number {
  return order(left.key, right.key) || order(left.text, right.text);
}
