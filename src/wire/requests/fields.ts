import * as z from 'zod';
import { parseCallerName } from '../../core/access/caller-name.ts';
import { CALLER_NAME_MAX_CHARS, TASK_MAX_CHARS } from '../../core/limits.ts';
import { parseMaxUsd, parseMaxUsdNumber, parseUsd, parseUsdNumber } from '../../core/money/micro-usd.ts';

/** Converts a value, or fails with a message that follows the name of the field. */
export function parsed<In extends z.ZodType, Out>(
  input: In,
  parse: (value: z.output<In>) => Out | null,
  message: string,
) {
  return input.transform((value, context): Out => {
    const result = parse(value);
    if (result !== null) return result;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

export function boundedText(maxChars: number) {
  return z.string('must be a single string').max(maxChars, `must have at most ${maxChars} characters`);
}

/** `client` and `ref` (gap G04). */
export const callerName = parsed(
  boundedText(256).meta({ pattern: `^[A-Za-z0-9._-]{1,${CALLER_NAME_MAX_CHARS}}$`, examples: ['my-agent'] }),
  parseCallerName,
  `must be 1 to ${CALLER_NAME_MAX_CHARS} of the characters A-Z a-z 0-9 . _ -`,
);

/** A plain decimal of USD; a JSON body may also carry it as a number (gap G37). */
export const decimalUsd = usd(parseUsd, parseUsdNumber);

/** A maximum, rounded down to a millionth: what costs more must not pass. */
export const maxUsd = usd(parseMaxUsd, parseMaxUsdNumber);

function usd(ofText: typeof parseUsd, ofNumber: typeof parseUsdNumber) {
  return parsed(
    z.union([boundedText(64), z.number()], 'must be a plain decimal such as 0.01'),
    (value) => (typeof value === 'number' ? ofNumber(value) : ofText(value)),
    'must be a plain decimal from 0 to 999999999999, such as 0.01',
  );
}

export const wallet = boundedText(64)
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal characters')
  .meta({ examples: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'] });

/** Long enough for any task name; it is reduced to a slug (gap G21). */
export const taskText = boundedText(4 * TASK_MAX_CHARS);

export const urlText = boundedText(8_192);

interface WholeNumberRange {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A number outside its range is refused, not clamped (gap G20). */
export function wholeNumber({ min, max, default: fallback }: WholeNumberRange) {
  return parsed(
    boundedText(32),
    (value) => {
      const number = PLAIN_NUMBER.test(value) ? Number(value) : 0;
      return number >= min && number <= max ? number : null;
    },
    `must be a whole number from ${min} to ${max}`,
  ).default(fallback);
}

const PLAIN_NUMBER = /^[1-9][0-9]{0,8}$/;
