import { z } from 'zod';
import { formatUsd, parseUsdNumber } from '../../core/money/micro-usd.ts';

/** One endpoint to be checked, as it was typed; nothing of it is judged yet. */
export interface Target {
  readonly url: string;
  readonly claimedPrice: string | null;
  readonly method: string | null;
  readonly payTo: string | null;
  readonly network: string | null;
}

export type TargetLine =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'wrong'; readonly line: string };

/** Longer than any URL with everything that may be said about it. */
const LINE_MAX_BYTES = 16_384;
export const LINES_MAX = 10_000;
const NEWLINE = 0x0a;

/** The lines of standard input, empty ones left out. What the options say holds for whatever a line does not say. */
export async function* readTargets(
  chunks: AsyncIterable<Uint8Array>,
  options: Omit<Target, 'url'>,
): AsyncGenerator<TargetLine> {
  let [number, told] = [0, 0];
  for await (const bytes of linesOf(chunks)) {
    number += 1;
    const text = bytes === null ? null : new TextDecoder().decode(bytes).trim();
    if (text === '') continue;
    if (told === LINES_MAX) {
      yield { kind: 'wrong', line: `line ${number}: at most ${LINES_MAX} are checked at once` };
      return;
    }
    told += 1;
    const reading = text === null ? `is longer than ${LINE_MAX_BYTES} bytes` : readLine(text, options);
    yield typeof reading === 'string'
      ? { kind: 'wrong', line: `line ${number}: ${reading}` }
      : { kind: 'target', target: reading };
  }
}

/** Null for a line that is too long; what it holds is let go of as it comes. */
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

const text = z.string('must be a text').nullish();
/** A misspelled pay_to must not be taken for none. */
const lineShape = z.strictObject({
  url: z.string('must be a text'),
  claimed_price: z.union([z.string(), z.number()], 'must be a decimal such as 0.01').nullish(),
  method: text,
  pay_to: text,
  network: text,
});

/** A URL, or a JSON object with one; else what is wrong with it. */
function readLine(line: string, options: Omit<Target, 'url'>): Target | string {
  if (!line.startsWith('{')) return { ...options, url: line };
  const reading = lineShape.safeParse(parse(line));
  if (!reading.success) {
    const [issue] = reading.error.issues;
    if (issue?.code === 'unrecognized_keys') {
      return `may have only ${Object.keys(lineShape.shape).join(', ')} in its object`;
    }
    const field = issue?.path[0];
    return field === undefined ? 'is neither a URL nor a JSON object' : `${String(field)} ${issue?.message}`;
  }
  const { url, claimed_price: price, method, pay_to: payTo, network } = reading.data;
  return {
    url,
    claimedPrice: price === undefined || price === null ? options.claimedPrice : priceText(price),
    method: method ?? options.method,
    payTo: payTo ?? options.payTo,
    network: network ?? options.network,
  };
}

/** What cannot be a price goes on as it is, to be refused where prices are read. */
function priceText(price: string | number): string {
  if (typeof price === 'string') return price;
  const amount = parseUsdNumber(price);
  return amount === null ? String(price) : formatUsd(amount);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
