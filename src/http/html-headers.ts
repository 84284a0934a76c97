import type { Headers } from './answer.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

/** No script at all, one stylesheet of our own, and nothing from elsewhere. */
export const HTML_HEADERS: Headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};
