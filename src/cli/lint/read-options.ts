import * as z from 'zod';
import { REQUEST_BODY_MAX_BYTES } from '../../core/limits.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import { isAddress, isAnyAddress } from '../../core/x402/address.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import { parseJson } from '../../core/x402/read-json.ts';
import { boundedText, decimalUsd, parsed } from '../../wire/requests/fields.ts';
import { readWith } from '../../wire/requests/reading.ts';
import type { Arguments } from '../read-arguments.ts';
import type { FailOn, Format } from './lint-result.ts';

export interface LintOptions {
  /** A URL, the name of a file, or '-'. */
  readonly word: string;
  readonly isUrl: boolean;
  readonly method: ProbeMethod;
  readonly claim: Claim;
  readonly input: string | null;
  readonly failOn: FailOn;
  readonly format: Format;
  readonly output: string | null;
  readonly allowLocal: boolean;
}

/** The keys are the options as they are typed, so that a message names them. */
const schema = z.object({
  '--method': z.enum(['GET', 'POST'], 'must be GET or POST').default('GET'),
  '--price': decimalUsd.nullable().default(null),
  '--payee': boundedText(128).refine(isAnyAddress, 'must be a wallet address').nullable().default(null),
  '--network': parsed(boundedText(128), parseNetwork, 'must be a network such as base or eip155:8453')
    .nullable()
    .default(null),
  '--input': z
    .string()
    .refine((text) => Buffer.byteLength(text) <= REQUEST_BODY_MAX_BYTES, 'must have at most 16384 bytes')
    .refine((text) => parseJson(text) !== undefined, 'must be JSON')
    .nullable()
    .default(null),
  '--fail-on': z.enum(['error', 'warning', 'never'], 'must be error, warning or never').default('error'),
  '--format': z
    .enum(['text', 'json', 'sarif', 'junit'], 'must be text, json, sarif or junit')
    .default('text'),
  '--output': z.string().min(1, 'must be the name of a file').nullable().default(null),
});

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The options, or what is wrong with them. */
export function readLintOptions(given: Arguments, word: string): LintOptions | { readonly invalid: string } {
  const names = Object.keys(schema.shape);
  const values = names.flatMap((name) => {
    const text = given.text(name);
    return text === null ? [] : [[name, text]];
  });
  const reading = readWith(schema, Object.fromEntries(values));
  if (reading.kind === 'bad_request') return { invalid: reading.message.replace(/\.$/, '') };
  const { '--price': price, '--payee': payTo, '--network': network, ...rest } = reading.value;
  const options: LintOptions = {
    word,
    isUrl: URL_START.test(word),
    method: rest['--method'],
    claim: { price, payTo, network },
    input: rest['--input'],
    failOn: rest['--fail-on'],
    format: rest['--format'],
    output: rest['--output'],
    allowLocal: given.has('--allow-local'),
  };
  const invalid = conflictIn(options);
  return invalid === null ? options : { invalid };
}

function conflictIn({ word, isUrl, method, claim, input, allowLocal }: LintOptions): string | null {
  if (word === '') return 'a URL or a file is needed';
  const mainnet = mainnetOf(claim.network);
  if (claim.payTo !== null && mainnet !== null && !isAddress(claim.payTo, mainnet.addresses))
    return '--payee must be an address on the given network';
  if (!isUrl && (input !== null || allowLocal)) return '--input and --allow-local need a URL, not a file';
  return input !== null && method !== 'POST' ? '--input is a body and needs --method POST' : null;
}
