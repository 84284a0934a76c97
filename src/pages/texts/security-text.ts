import { utcDay } from '../../core/access/utc-window.ts';

export interface SecurityTextParts {
  /** A mailto: or web address. */
  readonly contact: string;
  readonly addresses: readonly string[];
  readonly now: Date;
}

/** Less than a year, as the standard recommends, and long enough for cached copies. */
const VALID_DAYS = 360;
const DAY_MS = 86_400_000;

export const SECURITY_TEXT_PATH = '/.well-known/security.txt';

/** Where to report a vulnerability (RFC 9116). */
export function securityText({ contact, addresses, now }: SecurityTextParts): string {
  const expires = utcDay(new Date(now.getTime() + VALID_DAYS * DAY_MS));
  // The standard requires https; a development machine has no such address.
  const canonical = addresses.filter((address) => address.startsWith('https:'));
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}T00:00:00Z`,
    'Preferred-Languages: en',
    ...canonical.map((address) => `Canonical: ${address}${SECURITY_TEXT_PATH}`),
    '',
  ].join('\n');
}
