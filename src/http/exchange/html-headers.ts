import type { Headers } from './answer.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** No script, our own stylesheet, and nothing from other hosts. */
export const HTML_HEADERS: Headers = {
  'content-security-policy': POLICY,
  // No referrer for other sites; our own forms still send their origin.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** The same with our own script file, which may not open connections. */
export const SCRIPTED_HTML_HEADERS: Headers = {
  ...HTML_HEADERS,
  'content-security-policy': `${POLICY}; script-src 'self'`,
};
