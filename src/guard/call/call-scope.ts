import { parseMaxUsd } from '../../core/money/micro-usd.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { CallScope } from './call.ts';

/** `init.assay` of one call. */
export interface AssayInit {
  readonly purchase?: string;
  readonly task?: string;
  /** USD. */
  readonly maxPrice?: string;
}

/** For payers that pass on headers, but not the members of `init` that they do not know. */
export const SCOPE_HEADERS = {
  purchase: 'x-assay-purchase',
  task: 'x-assay-task',
  maxPrice: 'x-assay-max-price',
} as const;

export const NO_SCOPE: CallScope = { purchase: null, task: null, maxPrice: null };

const NAME = /^[\x20-\x7e]{1,200}$/;

/** A scope that cannot be read refuses the call: a call with a limit must not buy without it. */
export function readScope(init: AssayInit | undefined, headers: Headers | null, outer: CallScope): CallScope {
  if (init === undefined && headers === null) return outer;
  refuseUnknown(init, headers);
  const value = (name: keyof AssayInit) => init?.[name] ?? headers?.get(SCOPE_HEADERS[name]) ?? null;
  return {
    purchase: readName('purchase', value('purchase')) ?? outer.purchase,
    task: withinTask(outer.task, readName('task', value('task'))),
    maxPrice: readPrice(value('maxPrice')) ?? outer.maxPrice,
  };
}

/** A misspelt limit would be none. */
function refuseUnknown(init: unknown, headers: Headers | null): void {
  // As a program without types may write it: '0.02' has no members of these names.
  const members = typeof init === 'object' ? Object.keys(init ?? {}) : init === undefined ? [] : [''];
  const fields = [...(headers?.keys() ?? [])].filter((name) => name.startsWith(PREFIX));
  if (members.every((name) => MEMBERS.has(name)) && fields.every((name) => FIELDS.has(name))) return;
  throw new GuardRefused('not_approved', {
    words: 'A call names purchase, task and maxPrice to the guard, and nothing else.',
  });
}

const PREFIX = 'x-assay-';
const MEMBERS: ReadonlySet<string> = new Set(Object.keys(SCOPE_HEADERS));
const FIELDS: ReadonlySet<string> = new Set(Object.values(SCOPE_HEADERS));

/** Under another name a call would have a new limit. */
function withinTask(outer: string | null, task: string | null): string | null {
  if (outer === null || task === null || task === outer) return outer ?? task;
  throw new GuardRefused('not_approved', { words: 'The call names another task than its guard is for.' });
}

function readName(member: string, text: unknown): string | null {
  if (text === null) return null;
  if (typeof text === 'string' && NAME.test(text)) return text;
  throw new GuardRefused('not_approved', {
    words: `The ${member} name is not 1 to 200 printable characters.`,
  });
}

function readPrice(text: unknown): CallScope['maxPrice'] {
  if (text === null) return null;
  const price = typeof text === 'string' ? parseMaxUsd(text) : null;
  if (price !== null) return price;
  throw new GuardRefused('not_approved', {
    words: "The maximum price is not an amount of US dollars like '0.02'.",
  });
}
