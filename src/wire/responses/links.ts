/** Links under the public address that the caller used (gap G80). Addresses have no trailing slash. */
export interface Links {
  readonly base: string;
  readonly tasks: string;
  readonly receipts: string;
  readonly skips: string;
  readonly skipsJson: string;
  readonly skipsCsv: string;
  readonly skipsAtom: string;
  readonly openapi: string;
  readonly spotCheck: string;
  receipt(id: string): string;
}

export function linksAt(base: string): Links {
  return {
    base,
    tasks: `${base}/v1/tasks`,
    receipts: `${base}/v1/receipts`,
    skips: `${base}/v1/skips`,
    skipsJson: `${base}/v1/skips.json`,
    skipsCsv: `${base}/v1/skips.csv`,
    skipsAtom: `${base}/v1/skips.atom`,
    openapi: `${base}/openapi.json`,
    spotCheck: `${base}/v1/products/endpoint-spot-check`,
    receipt: (id) => `${base}/v1/receipts/${id}`,
  };
}

/** A row of the page of skips; the first page has no number (gap G104). */
export function skipRowUrl({ skips }: Links, id: string, page: number): string {
  return page === 1 ? `${skips}#${id}` : `${skips}?page=${page}#${id}`;
}

export function receiptsByUrl({ receipts }: Links, href: string): string {
  return `${receipts}/by-url?url=${encodeURIComponent(href)}`;
}

/** The feed of changes at one URL. */
export function watchFeedUrl({ base }: Links, href: string, method: string | null): string {
  const query = new URLSearchParams({ url: href, ...(method === null ? {} : { method }) });
  return `${base}/v1/watch.atom?${query}`;
}

/** A usage hint for readers of receipts. */
export function spotCheckHint({ spotCheck }: Links): string {
  return `GET ${spotCheck}?url=<endpoint URL> answers pay, skip or recheck for the live endpoint; 1 free check a day. mode=dry-run is free: the same unpaid request and a public receipt, never an approval.`;
}
