import { type Links, linksAt } from '../../wire/responses/links.ts';

/** Answers with the address that a caller used; the base address to whoever names another one (gap G80). */
export type LinksFor = (host: string | null) => Links;

export function publicAddresses(base: string, others: readonly string[]): LinksFor {
  const baseLinks = linksAt(base);
  const known = new Map(
    [base, ...others].flatMap((address) => hostsOf(address).map((host) => [host, linksAt(address)])),
  );
  let last = { host: '', links: baseLinks };
  return (host) => {
    // Nearly all name the same one.
    if (host === null || host === last.host) return host === null ? baseLinks : last.links;
    last = { host, links: known.get(host.toLowerCase()) ?? baseLinks };
    return last.links;
  };
}

/** Some clients write out the port that goes without saying. */
function hostsOf(address: string): string[] {
  const { host, port, protocol } = new URL(address);
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}
