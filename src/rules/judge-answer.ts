import { CHALLENGE_BODY_MAX_BYTES } from '../core/limits.ts';
import { parseUsd } from '../core/money/micro-usd.ts';
import type { Expected } from '../core/verdict/expected-terms.ts';
import { judge } from '../core/verdict/judge.ts';
import type { ProbeAnswer } from '../core/verdict/probe-outcome.ts';
import { readAnswer } from '../core/verdict/reading.ts';
import { reasonWords } from '../core/verdict/reason-words.ts';
import { RULES_VERSION as CURRENT, type Recheck, type Skip } from '../core/verdict/verdict.ts';
import { isAnyAddress } from '../core/x402/address.ts';
import { parseNetwork } from '../core/x402/networks.ts';
import { type Terms, termsText } from '../core/x402/terms.ts';
import { readAtMost } from '../guard/read-at-most.ts';
import { sha256 } from '../guard/sha256.ts';

/** Raised whenever the same answer could get another verdict. */
export const RULES_VERSION: string = CURRENT;

/** What a listing, or the buyer, says about the call. What is left out is not compared. */
export interface Expectation {
  /** In USD, such as `'0.01'`. */
  readonly price?: string;
  readonly payTo?: string;
  /** CAIP-2, such as `eip155:8453`, or a short name, such as `base`. */
  readonly network?: string;
}

/** An HTTP response to an unpaid request. */
export interface Answer {
  readonly status: number;
  /** `Headers`, a `Map`, or pairs; a field that came twice is two pairs. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body?: string | Uint8Array;
}

/** Only `pay` has terms: the payment that may be signed, until its deadline, and the hash that a receipt has of it. */
export type Judged =
  | {
      readonly verdict: 'pay';
      readonly reason: 'price_ok';
      readonly words: string;
      readonly terms: Terms;
      readonly termsSha256: string;
    }
  | {
      readonly verdict: Skip['verdict'] | Recheck['verdict'];
      readonly reason: Skip['reason'] | Recheck['reason'];
      readonly words: string;
      readonly terms: null;
      readonly termsSha256: null;
    };

/** The verdict of an Assay service about this answer. Throws a TypeError for an expectation that cannot be read. */
export function judgeAnswer(answer: Answer, expected: Expectation = {}, now: Date = new Date()): Judged {
  const { status, headers, body: given = '' } = answer;
  const body = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  return judged({ status, headers: [...headers], body, bodyComplete: true }, expected, now);
}

/** The same for what `fetch` returned. Reads its body, up to 256 kB: clone it first to read it again. */
export async function judgeResponse(
  response: Response,
  expected: Expectation = {},
  now: Date = new Date(),
): Promise<Judged> {
  const read = await readAtMost(response.body, CHALLENGE_BODY_MAX_BYTES);
  const bodyComplete = typeof read !== 'string';
  // What is cut off counts as the start of other terms.
  const body = bodyComplete ? read : new TextEncoder().encode('{');
  const { status, headers } = response;
  return judged({ status, headers: [...headers], body, bodyComplete }, expected, now);
}

function judged(answer: Omit<ProbeAnswer, 'kind'>, expected: Expectation, now: Date): Judged {
  const reading = readAnswer({ kind: 'answered', ...answer });
  const { verdict } = judge(reading, readExpectation(expected), now);
  const words = reasonWords(verdict);
  if (verdict.verdict !== 'pay') {
    return { verdict: verdict.verdict, reason: verdict.reason, words, terms: null, termsSha256: null };
  }
  const { terms, reason } = verdict;
  return { verdict: 'pay', reason, words, terms, termsSha256: sha256(termsText(terms)) };
}

function readExpectation({ price, payTo, network, ...others }: Expectation): Expected {
  // A misspelled payee, or the pay_to of our HTTP interface, would not be compared.
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`an expectation has no ${unknown}: price, payTo, network`);
  return {
    price: price === undefined ? null : known('price', parseUsd(price)),
    payTo: payTo === undefined ? null : known('payTo', isAnyAddress(payTo) ? payTo : null),
    network: network === undefined ? null : known('network', parseNetwork(network)),
    source: (price ?? payTo ?? network) ? 'request' : null,
  };
}

/** Comparing with nothing would be a `pay`. */
function known<T>(member: string, value: T | null): T {
  if (value === null) throw new TypeError(`the expected ${member} cannot be read`);
  return value;
}
