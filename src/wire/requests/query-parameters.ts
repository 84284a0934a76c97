import { badRequest, type Reading } from './reading.ts';

export type Parameters = Readonly<Record<string, string>>;

/** What the decoder puts where bytes are no UTF-8: another URL would be checked than the one that was meant. */
const REPLACED = '\ufffd';

/**
 * The known parameters of a query string, each at most once and in UTF-8 (gap G04). Unknown names are ignored: a parameter of a
 * later version must not fail here.
 */
export function readQuery(query: string, names: ReadonlySet<string>): Reading<Parameters> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!names.has(name)) continue;
    if (found.has(name)) return badRequest(name, `${name} must be sent once.`);
    if (value.includes(REPLACED)) return badRequest(name, `${name} must be percent-encoded UTF-8.`);
    found.set(name, value);
  }
  return { kind: 'read', value: Object.fromEntries(found) };
}

/** Everything after the question mark of a request target. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
