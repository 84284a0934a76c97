import { parseAccept } from 'hono/utils/accept';

/** Far longer than what any browser sends. */
const ACCEPT_MAX_CHARS = 4_096;

/** True if the caller prefers a page to JSON. Without Accept, or without a preference, it is a program. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null || accept.length > ACCEPT_MAX_CHARS) return false;
  const ranges = parseAccept(accept).map(({ type, q }) => ({ type: type.toLowerCase(), q }));
  const html = liking(ranges, 'text', 'html');
  const json = liking(ranges, 'application', 'json');
  const problem = liking(ranges, 'application', 'problem+json');
  const beats = (other: Liking) =>
    html.q > other.q || (html.q === other.q && html.precision > other.precision);
  // Who names problems in so many words is a program, whatever else it accepts.
  return html.q > 0 && beats(json) && (problem.precision < EXACT || beats(problem));
}

/** True if the caller prefers JSON to a page. Without Accept, or without a preference, it is a person. */
export function prefersJson(accept: string | null): boolean {
  if (accept === null || accept.length > ACCEPT_MAX_CHARS) return false;
  const ranges = parseAccept(accept).map(({ type, q }) => ({ type: type.toLowerCase(), q }));
  const html = liking(ranges, 'text', 'html');
  const json = liking(ranges, 'application', 'json');
  return json.q > 0 && (json.q > html.q || (json.q === html.q && json.precision > html.precision));
}

const EXACT = 2;

interface Range {
  readonly type: string;
  readonly q: number;
}

interface Liking {
  readonly q: number;
  readonly precision: number;
}

/** The quality of a type is that of the most specific matching range (RFC 9110, section 12.5.1). */
function liking(ranges: readonly Range[], main: string, sub: string): Liking {
  const covering = ['*/*', `${main}/*`, `${main}/${sub}`];
  const found = ranges
    .map(({ type, q }) => ({ q, precision: covering.indexOf(type) }))
    .sort((left, right) => right.precision - left.precision)[0];
  return found === undefined || found.precision === -1 ? { q: 0, precision: -1 } : found;
}
