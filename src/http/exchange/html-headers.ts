import type { Headers } from './answer.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** No script at all, one stylesheet of our own, and nothing from elsewhere. */
export const HTML_HEADERS: Headers = {
  'content-security-policy': POLICY,
  // Nothing about the page goes elsewhere; our own forms still say that they come from us.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** The same with our own script file, which may not send anything anywhere. */
export const SCRIPTED_HTML_HEADERS: Headers = {
  ...HTML_HEADERS,
  'content-security-policy': `${POLICY}; script-src 'self'`,
};
