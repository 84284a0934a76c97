import * as z from 'zod';
import { knownAnswerTest } from '../known-answer/known-answer-test.ts';
import { parseUsd } from '../money/micro-usd.ts';
import { parseTargetUrl } from '../url/target-url.ts';
import { isAddress } from '../x402/address.ts';
import { mainnetOf, parseNetwork } from '../x402/networks.ts';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const price = z.string().transform((text, context) => {
  const parsed = parseUsd(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: 'must be a plain decimal of USD, such as "0.01"' });
  return z.NEVER;
});

const mainnet = z.string().transform((text, context) => {
  const found = mainnetOf(parseNetwork(text));
  if (found !== null) return found;
  context.addIssue({ code: 'custom', message: 'must be a supported mainnet in CAIP-2 form' });
  return z.NEVER;
});

const endpoint = z.string().transform((text, context) => {
  const reading = parseTargetUrl(text);
  if (reading.kind === 'target') return reading.target;
  context.addIssue({ code: 'custom', message: `must be a public http(s) URL (${reading.fault})` });
  return z.NEVER;
});

/** A change of the payee's wallet, signed by the previous wallet (src/core/catalog/payee-rotation.ts). */
const payeeRotation = z
  .strictObject({
    to: z.string().max(64),
    signed_on: z.iso.date(),
    signature: z
      .string()
      .regex(/^0x(?:[0-9a-f]{2}){65,512}$/i, 'must be 0x and the hex digits of a signature'),
  })
  .transform(({ to, signed_on, signature }) => ({ to, signedOn: signed_on, signature }));

const ROTATIONS_MAX = 10;

/** A segment of the endpoint's path that is the argument of an example. */
const pathParameter = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/),
  example: z.string().regex(/^[A-Za-z0-9._~-]{1,100}$/),
});

const PATH_PARAMETERS_MAX = 4;
/** Lookups carry it, and a probe sends no more (gap G101). */
const EXAMPLE_MAX_CHARS = 1_024;

/** A service in the catalog file. Unknown members are refused. */
export const service = z
  .strictObject({
    id: z.string().regex(SLUG).max(64),
    name: z.string().min(1).max(80),
    provider: z.string().min(1).max(80),
    category: z.string().regex(SLUG).max(64),
    description: z.string().min(1).max(500),
    endpoint,
    method: z.enum(['GET', 'POST']),
    price_usd: price,
    network: mainnet,
    pay_to: z.string().max(64).optional(),
    payee_rotations: z.array(payeeRotation).max(ROTATIONS_MAX).default([]),
    tasks: z.array(z.string().regex(SLUG).max(64)).min(1).max(12),
    path_parameters: z.array(pathParameter).max(PATH_PARAMETERS_MAX).default([]),
    example: z
      .strictObject({
        query: z.record(z.string(), z.string()).optional(),
        body: z.record(z.string(), z.json()).optional(),
      })
      .refine((example) => JSON.stringify(example).length <= EXAMPLE_MAX_CHARS, {
        message: `must have at most ${EXAMPLE_MAX_CHARS} characters`,
      })
      .default({}),
    source: z.strictObject({ list: z.string().min(1).max(64), seen_on: z.iso.date() }),
    facts_only: z.string().min(1).max(200).optional(),
    known_answer: knownAnswerTest.optional(),
  })
  .refine(({ pay_to, network }) => pay_to === undefined || isAddress(pay_to, network.addresses), {
    path: ['pay_to'],
    message: 'must be an address of the network',
  })
  .superRefine(({ endpoint: { href }, path_parameters }, context) => {
    const segments = new URL(href).pathname.split('/');
    const names = new Set(path_parameters.map(({ name }) => name));
    const isMarked = path_parameters.every(
      ({ example }) => segments.filter((segment) => segment === example).length === 1,
    );
    if (isMarked && names.size === path_parameters.length) return;
    const message = 'must be names, each for one segment of the path';
    context.addIssue({ code: 'custom', path: ['path_parameters'], message });
  })
  .superRefine(({ pay_to, payee_rotations, network }, context) => {
    if (payee_rotations.length > 0 && pay_to === undefined) {
      context.addIssue({ code: 'custom', path: ['pay_to'], message: 'must be the wallet that signed first' });
    }
    const bad = payee_rotations.findIndex(({ to }) => !isAddress(to, network.addresses));
    if (bad === -1) return;
    const path = ['payee_rotations', bad, 'to'];
    context.addIssue({ code: 'custom', path, message: 'must be an address of the network' });
  })
  .transform(({ price_usd, pay_to, payee_rotations, facts_only, known_answer, source, ...rest }) => ({
    ...rest,
    price: price_usd,
    payTo: pay_to ?? null,
    payeeRotations: payee_rotations,
    /** The operator's reason to show only facts; null lets the paid calls decide (gap G25). */
    pinnedFactsOnly: facts_only ?? null,
    knownAnswer: known_answer ?? null,
    source: { list: source.list, seenOn: source.seen_on },
  }));

export type Service = z.infer<typeof service>;

export type CatalogReading =
  | { readonly kind: 'catalog'; readonly services: readonly Service[] }
  /** Where the first mistake is: which service, which field, and what is wrong with it. */
  | { readonly kind: 'invalid'; readonly id: string; readonly field: string; readonly problem: string };

/** Reads the catalog file. One mistake refuses the whole file: with half a catalog, the ranking would be wrong. */
export function readCatalog(data: unknown): CatalogReading {
  if (!Array.isArray(data)) return invalid('(catalog)', '(file)', 'must be a list of services');
  const services: Service[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of data.entries()) {
    const parsed = service.safeParse(entry, { jitless: true });
    const id = nameOf(entry) ?? `(entry ${index + 1})`;
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return invalid(id, issue?.path.join('.') || '(entry)', issue?.message ?? 'is not a service');
    }
    if (seen.has(parsed.data.id)) return invalid(id, 'id', 'is used twice');
    seen.add(parsed.data.id);
    services.push(parsed.data);
  }
  return { kind: 'catalog', services };
}

function nameOf(entry: unknown): string | null {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : null;
  return typeof id === 'string' && SLUG.test(id) ? id : null;
}

function invalid(id: string, field: string, problem: string): CatalogReading {
  return { kind: 'invalid', id, field, problem };
}
