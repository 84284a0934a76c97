import { REFUSAL_BODY_MAX_BYTES } from '../limits.ts';
import { isJsonObject, member, parseJson } from '../x402/read-json.ts';

/** Names of parameters that an answer asked for: data of a stranger, so only these shapes and no more than this many. */
export const MISSING_NAMES_MAX = 8;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,39}$/;
const LISTED_MAX = 16;

export function isParameterName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** The parameters that a refusal names in the shapes of the usual validators: FastAPI's `loc`, zod's `path`, `field`, `param`. */
export function missingNames(body: Uint8Array): readonly string[] {
  if (body.byteLength === 0 || body.byteLength > REFUSAL_BODY_MAX_BYTES) return [];
  const document = parseJson(Buffer.from(body).toString());
  if (!isJsonObject(document)) return [];
  const error = member(document, 'error');
  const holders = [document, ...(isJsonObject(error) ? [error] : [])];
  const places = holders.flatMap((holder) => [
    holder,
    ...LISTS.flatMap((key) => entriesOf(member(holder, key))),
  ]);
  const names = places.flatMap((place) => namesIn(place));
  return [...new Set(names)].slice(0, MISSING_NAMES_MAX);
}

const LISTS = ['detail', 'details', 'issues', 'errors', 'missing', 'required'] as const;

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, LISTED_MAX) : [];
}

function namesIn(place: unknown): readonly string[] {
  if (typeof place === 'string') return isParameterName(place) ? [place] : [];
  if (!isJsonObject(place)) return [];
  const located = ['loc', 'path'].map((key) => entriesOf(member(place, key)).findLast(isParameterName));
  const said = ['field', 'param', 'parameter'].map((key) => member(place, key));
  return [...located, ...said].filter(isParameterName);
}
