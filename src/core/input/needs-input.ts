import type { ObservedAnswer } from '../verdict/observation.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isJsonObject, parseJson } from '../x402/read-json.ts';
import type { InputSource, InputValues, ListedInput } from './listed-input.ts';
import { MISSING_NAMES_MAX } from './missing-names.ts';

/** What is known about the input that an endpoint wants before it asks for payment (gap G100). */
export interface NeedsInput {
  readonly method: ProbeMethod;
  readonly status: number;
  /** What was sent last. */
  readonly tried: 'bare' | InputSource;
  readonly missing: readonly string[];
  /** The example of the listing. */
  readonly example: ExampleInput | null;
}

export type ExampleInput = Readonly<Record<string, string | number | boolean>>;

export function needsInputOf(
  { status, input, refusal }: ObservedAnswer,
  method: ProbeMethod,
  listed: ListedInput | null,
): NeedsInput {
  const tried = input?.source ?? 'bare';
  const declared = tried === 'bare' && listed !== null ? listed.required : [];
  const missing = [...new Set([...declared, ...(refusal?.missing ?? [])])];
  return {
    method,
    status,
    tried,
    missing: missing.slice(0, MISSING_NAMES_MAX),
    example: exampleOf(listed?.example ?? null),
  };
}

/** Words without spaces: an example is a stranger's text, and what we publish is read by language models (gap G49). */
const PLAIN = /^[A-Za-z0-9_.,:@/+=-]{1,64}$/;

/** Null for one that cannot be shown whole. */
function exampleOf(values: InputValues | null): ExampleInput | null {
  if (values === null) return null;
  const body = values.body === null ? null : parseJson(values.body);
  const members: readonly (readonly [string, unknown])[] = [
    ...values.query,
    ...(isJsonObject(body) ? Object.entries(body) : []),
  ];
  return members.every(isShown) ? Object.fromEntries(members.filter(isShown)) : null;
}

function isShown(member: readonly [string, unknown]): member is readonly [string, string | number | boolean] {
  const [name, value] = member;
  const isPlain =
    typeof value === 'string' ? PLAIN.test(value) : typeof value === 'boolean' || Number.isFinite(value);
  return PLAIN.test(name) && isPlain;
}
