/** The page of a wallet that endpoints ask to be paid to. */
export function payeeHref(address: string): string {
  return `/payees/${encodeURIComponent(address)}`;
}
