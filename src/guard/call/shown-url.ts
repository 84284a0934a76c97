import { redactUrl } from '../../core/url/redact-url.ts';
import { readUrl } from './read-url.ts';

const SHOWN_URL_MAX = 2_048;

/** An address for logs and the ledger, without what looks like a secret. */
export function shownUrl(address: string): string {
  const url = readUrl(address);
  return (url === null ? unreadAddress(address) : webUrl(url)).slice(0, SHOWN_URL_MAX);
}

function webUrl(url: URL): string {
  const shown = new URL(url);
  Object.assign(shown, { username: '', password: '', hash: '' });
  return redactUrl(shown.href, 'unlisted');
}

/** Nobody knows its parts, so all of them are redacted like those of a path. */
function unreadAddress(address: string): string {
  const [scheme] = OPAQUE.exec(address) ?? [];
  if (scheme !== undefined) return scheme;
  // A password may contain any character, and the parser of URLs did not find it.
  if (address.includes('@')) return 'REDACTED';
  const line = address.replaceAll(/[\s\p{C}]+/gu, '%20');
  return redactUrl(IN_PATH + line, 'unlisted').slice(IN_PATH.length);
}

/** What follows such a scheme is content, as in `data:`. */
const OPAQUE = /^[a-z][a-z0-9+.-]*:(?!\/\/)/i;

/** The redaction leaves what precedes the third slash as it is: scheme and host. */
const IN_PATH = '///';
