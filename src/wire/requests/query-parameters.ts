import { badRequest, type Reading } from './reading.ts';

export type Parameters = Readonly<Record<string, string>>;

/**
 * The known parameters of a query string, each at most once (gap G04). Other names are not looked at: a parameter that a
 * later version knows must not fail on this one.
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

/** What stands behind the question mark of a request. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
