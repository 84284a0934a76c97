import type { Resolution } from '../../src/adapters/probe/resolve.ts';
import { bazaarRow, type Row } from './lists.ts';
import type { Sell } from './seller.ts';

export type Truth = 'honest' | 'dishonest';

/** One way in which a seller behaves, with the truth about it. */
export interface Behaviour {
  readonly truth: Truth;
  readonly group: string;
  readonly name: string;
  readonly host: string;
  /** What the lists have. */
  readonly url: string;
  readonly rows: readonly Row[];
  /** What a caller asks about it. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly sell: Sell;
  /** What its name leads to, at each look-up; an address of its own by default. */
  readonly resolves: ((lookup: number) => Resolution) | null;
  /** It never finishes an answer, so nobody has to wait for it as long as for the others. */
  readonly hangs: boolean;
}

/** What a table says about a behaviour; the rest is a row of one cent on Base in the first list. */
export interface Details {
  readonly sell: Sell;
  readonly path?: string;
  /** In place of a URL on a host of its own. */
  readonly url?: string;
  readonly rows?: (url: string) => readonly Row[];
  /** The caller's parameters; `path` is that of the URL that the caller asks about. */
  readonly asked?: Readonly<Record<string, unknown>> & { readonly path?: string };
  readonly resolves?: (lookup: number) => Resolution;
  readonly hangs?: boolean;
}

export const NOWHERE = (): readonly Row[] => [];

/** The behaviours of a class. A function alone is a seller that is listed as usual. */
export function behaviours(
  truth: Truth,
  group: string,
  table: Readonly<Record<string, Sell | Details>>,
): readonly Behaviour[] {
  return Object.entries(table).map(([name, entry], index) => {
    const details = typeof entry === 'function' ? { sell: entry } : entry;
    const { sell, path = '/data', rows, asked = {}, resolves = null, hangs = false } = details;
    const own = `${slug(group)}-${index}.${truth}.example`;
    const url = details.url ?? `http://${own}${path}`;
    const { path: askedPath, ...parameters } = asked;
    return {
      truth,
      group,
      name,
      host: new URL(url).hostname,
      url,
      rows: rows?.(url) ?? (rows === undefined ? [bazaarRow(url)] : []),
      asked: { url: askedPath === undefined ? url : `http://${own}${askedPath}`, ...parameters },
      sell,
      resolves,
      hangs,
    };
  });
}

function slug(group: string): string {
  return group
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
