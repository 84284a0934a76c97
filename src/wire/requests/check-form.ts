import { parseTargetUrl } from '../../core/url/target-url.ts';
import { readQuery } from './query-parameters.ts';
import type { Reading } from './reading.ts';
import { readSpotCheckRequest, type SpotCheckRequest } from './spot-check-request.ts';

const FIELDS = ['url', 'claimed_price', 'pay_to', 'network', 'method', 'mode'] as const;
type Field = (typeof FIELDS)[number];

/** The fields of the check form; an empty string is an empty field. */
export type CheckForm = Readonly<Record<Field, string>>;

/** Longer than any valid value. */
const FIELD_MAX_CHARS = 4_096;

/** The fields of a query or a form, to be shown; of a repeated field the first. */
export function readCheckForm(text: string): CheckForm {
  const sent = new URLSearchParams(text);
  const field = (name: string) => (sent.get(name) ?? '').slice(0, FIELD_MAX_CHARS).trim();
  const price = field('claimed_price').replace(/^\$\s*/, '');
  return {
    url: withScheme(field('url')),
    claimed_price: price,
    pay_to: field('pay_to'),
    network: field('network'),
    // Defaults are omitted.
    method: field('method') === 'GET' ? '' : field('method'),
    mode: field('mode'),
  };
}

/** Adds the scheme, which people omit. */
function withScheme(url: string): string {
  return url === '' || /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
}

/** A submitted form, parsed like a request to the interface: no field twice (gap G04). */
export function readFormRequest(text: string): Reading<SpotCheckRequest> {
  const once = readQuery(text, new Set(FIELDS));
  if (once.kind !== 'read') return once;
  const filled = Object.entries(readCheckForm(text)).filter(([, value]) => value !== '');
  return readSpotCheckRequest(String(new URLSearchParams(filled)));
}

/** The form to show again: with the parsed URL, and never a password (gap G53). */
export function shownForm(form: CheckForm): CheckForm {
  const reading = parseTargetUrl(form.url);
  if (reading.kind === 'target') return { ...form, url: reading.target.href };
  // No valid value of another field contains this character.
  return form.url.includes('@') ? { ...form, url: '' } : form;
}
