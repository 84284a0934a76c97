import * as z from 'zod';
import { formatUsd, parseUsdNumber } from '../../core/money/micro-usd.ts';
import { parseJson } from '../../core/x402/read-json.ts';
import { assumedUrl } from './assumed-url.ts';

/** One endpoint to check, as typed and not yet validated. */
export interface Target {
  readonly url: string;
  readonly claimedPrice: string | null;
  readonly method: string | null;
  readonly payTo: string | null;
  readonly network: string | null;
  /** Parsed JSON: the service says what is wrong with it. */
  readonly input: unknown;
}

export type TargetLine =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'invalid'; readonly problem: string };

/** More than the longest URL with all its options. */
const LINE_MAX_BYTES = 16_384;
export const LINES_MAX = 10_000;
const NEWLINE = 0x0a;

/** The lines of standard input without empty ones. Options are the defaults of every line. */
export async function* readTargets(
  chunks: AsyncIterable<Uint8Array>,
  options: Omit<Target, 'url'>,
): AsyncGenerator<TargetLine> {
  let [number, taken] = [0, 0];
  for await (const bytes of linesOf(chunks)) {
    number += 1;
    const text = bytes === null ? null : new TextDecoder().decode(bytes).trim();
    if (text === '') continue;
    if (taken === LINES_MAX) {
      yield { kind: 'invalid', problem: `line ${number}: at most ${LINES_MAX} lines are checked` };
      return;
    }
    taken += 1;
    const reading = text === null ? `is longer than ${LINE_MAX_BYTES} bytes` : readLine(text, options);
    yield typeof reading === 'string'
      ? { kind: 'invalid', problem: `line ${number}: ${reading}` }
      : { kind: 'target', target: reading };
  }
}

/** Null for a line that is too long; its bytes are dropped as they arrive. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const take = (part: Uint8Array) => {
    bytes += part.byteLength;
    if (bytes <= LINE_MAX_BYTES) parts.push(part);
    else parts = [];
  };
  const line = () => {
    const whole = bytes <= LINE_MAX_BYTES ? Buffer.concat(parts) : null;
    parts = [];
    bytes = 0;
    return whole;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      from = at + 1;
      yield line();
    }
    take(chunk.subarray(from));
  }
  if (bytes > 0) yield line();
}

const text = z.string('must be a string').nullish();
/** Strict: a misspelled pay_to must not count as none. */
const lineShape = z.strictObject({
  url: z.string('must be a string'),
  claimed_price: z.union([z.string(), z.number()], 'must be a decimal such as 0.01').nullish(),
  method: text,
  pay_to: text,
  network: text,
  input: z.record(z.string(), z.unknown(), 'must be a JSON object').nullish(),
});

/** The target, or what is wrong with the line. */
function readLine(line: string, options: Omit<Target, 'url'>): Target | string {
  if (!line.startsWith('{')) return { ...options, url: assumedUrl(line) ?? line };
  const reading = lineShape.safeParse(parseJson(line));
  if (!reading.success) {
    const [issue] = reading.error.issues;
    if (issue?.code === 'unrecognized_keys') {
      return `has an unknown member; known are ${Object.keys(lineShape.shape).join(', ')}`;
    }
    const field = issue?.path[0];
    return field === undefined ? 'is neither a URL nor a JSON object' : `${String(field)} ${issue?.message}`;
  }
  const { url, claimed_price: price, method, pay_to: payTo, network, input } = reading.data;
  return {
    url: assumedUrl(url) ?? url,
    claimedPrice: price === undefined || price === null ? options.claimedPrice : priceText(price),
    method: method ?? options.method,
    payTo: payTo ?? options.payTo,
    network: network ?? options.network,
    input: input ?? options.input,
  };
}

/** An invalid price is passed on unchanged: the parser of prices refuses it. */
function priceText(price: string | number): string {
  if (typeof price === 'string') return price;
  const amount = parseUsdNumber(price);
  return amount === null ? String(price) : formatUsd(amount);
}
