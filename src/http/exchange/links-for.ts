import { type Links, linksAt } from '../../wire/responses/links.ts';

/** Links under the public address that a Host header names, or under the base address if it names none of ours (gap G80). */
export type LinksFor = (host: string | null) => Links;

export function createLinksFor(base: string, others: readonly string[]): LinksFor {
  const baseLinks = linksAt(base);
  const known = new Map(
    [base, ...others].flatMap((address) => hostsOf(address).map((host) => [host, linksAt(address)])),
  );
  return (host) => known.get(host?.toLowerCase() ?? '') ?? baseLinks;
}

/** Some clients send the default port, too. */
function hostsOf(address: string): string[] {
  const { host, port, protocol } = new URL(address);
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}
