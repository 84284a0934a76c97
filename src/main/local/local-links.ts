import { PROBLEM_GUIDE } from '../../wire/openapi/problem-guide.ts';
import { EXEMPT_ACCESS } from '../../wire/responses/access.ts';

/** The address of an app that nobody listens for; such names never resolve (RFC 2606). */
export const NOWHERE = 'http://assay.invalid';

const RECEIPT = /^\/v1\/receipts\/([a-z0-9-]{1,64})$/;

/** An answer without links to where nobody listens, and without sentences about a service. */
export function withoutLinks(text: string): string {
  const told = (value: unknown) => (isLink(value) ? localText(value) : (SENTENCES.get(value) ?? value));
  return JSON.stringify(JSON.parse(text, (_, value: unknown) => told(value)));
}

/** What is true of a service alone: here nobody has a key, and no receipt is public. */
const SENTENCES: ReadonlyMap<unknown, string> = new Map([
  [EXEMPT_ACCESS.note, 'on this machine nothing is metered or charged'],
  [PROBLEM_GUIDE.no_receipt.detail, 'There is no receipt for this URL yet. endpoint_spot_check makes one.'],
]);

/** A link of ours, or the sentence of how to use one. A stranger's URL may have the address inside, and stays. */
function isLink(value: unknown): value is string {
  return typeof value === 'string' && /^(?:GET )?http:\/\/assay\.invalid/.test(value);
}

/** Undefined leaves the member out. */
function localText(link: string): string | undefined {
  const path = link.slice(NOWHERE.length);
  const id = link.startsWith(NOWHERE) ? RECEIPT.exec(path)?.[1] : undefined;
  if (id !== undefined) return `assay receipt --local ${id}`;
  if (link === `${NOWHERE}/v1/tasks`) return 'assay tasks --local';
  return link.startsWith(`${NOWHERE}/problems`) ? 'about:blank' : undefined;
}
