const NAME_MAX_CHARS = 253;
// Underscores occur in real names; a leading hyphen looks like an option to every program it is handed to.
const LABEL = '[a-z0-9_][a-z0-9_-]{0,62}';
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** A name that DNS can carry. Expects the lower-case ASCII that the URL parser produces. */
export function isHostName(name: string): boolean {
  return name.length <= NAME_MAX_CHARS && LABELS.test(name);
}

/** Names that must never reach a resolver: search domains or the hosts file would answer for them. */
export function isInternalName(name: string): boolean {
  if (!name.includes('.')) return true;
  return INTERNAL_ZONES.some((zone) => name === zone || name.endsWith(`.${zone}`));
}

/** Zones that public DNS does not delegate, and one that leads to a cloud's metadata server. */
const INTERNAL_ZONES: readonly string[] = [
  'localhost',
  'local',
  'localdomain',
  'localdomain6',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'onion',
  'svc',
  'consul',
  'metadata.goog',
];
