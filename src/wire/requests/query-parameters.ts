import { badRequest, type Reading } from './reading.ts';

export type Parameters = Readonly<Record<string, string>>;

/**
 * The known parameters of a query string, each at most once (gap G04). Unknown names are ignored: a parameter of a later version
 * must not fail here.
 */
export function readQuery(query: string, names: ReadonlySet<string>): Reading<Parameters> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!names.has(name)) continue;
    if (found.has(name)) return badRequest(name, `${name} must be sent once.`);
    found.set(name, value);
  }
  return { kind: 'read', value: Object.fromEntries(found) };
}

/** Everything after the question mark of a request target. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
