/** The page about a host. The name is encoded: it may come from a stranger's list. */
export function hostHref(host: string): string {
  return `/hosts/${encodeURIComponent(host)}`;
}
