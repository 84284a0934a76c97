import { middleCut } from '../frame/untrusted-text.ts';

const HOST = /^[a-z0-9._:[\]-]{1,300}$/;
const SHOWN_CHARS = 48;

/** The host of a stranger's URL on a picture: characters of host names only, the beginning and the end of it. */
export function shownHost(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return HOST.test(host) ? middleCut(host, SHOWN_CHARS) : 'an endpoint';
}
