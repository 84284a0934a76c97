/** The address of an app that nobody listens for; such names never resolve (RFC 2606). */
export const NOWHERE = 'http://assay.invalid';

const RECEIPT = /^\/v1\/receipts\/([a-z0-9-]{1,64})$/;

/** An answer without links to where nobody listens: the command that shows the same, or nothing. */
export function withoutLinks(text: string): string {
  return JSON.stringify(JSON.parse(text, (_, value: unknown) => (isLink(value) ? localText(value) : value)));
}

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
