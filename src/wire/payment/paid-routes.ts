import { LOOKUP_PRICE, PACK_PRICE, SPOT_CHECK_PRICE_MIN } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';

type Method = 'GET' | 'POST';

/** Example and schema of a paid route for payment directories: the example validates against the schema. */
export interface Bazaar {
  readonly info: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: { readonly type: 'json'; readonly example: Readonly<Record<string, unknown>> };
  };
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A paid route. Texts are short: the whole requirement must fit into a header of 4 kB (gap G61). */
export interface PaidRoute {
  readonly path: string;
  readonly description: string;
  /** The price, or the lowest one if it depends on the request. */
  readonly price: MicroUsd;
  readonly methods: readonly Method[];
  bazaar(method: Method): Bazaar;
}

const string = { type: 'string' };
const lookupFields = {
  task: string,
  endpoint: string,
  max_price: string,
  n: string,
  limit: string,
  client: string,
  ref: string,
  payer: string,
};
const lookupExample = {
  results: [{ id: 'a-service', endpoint: 'https://api.example.com/x', price_usd: '0.01', pass_rate: 1 }],
  facts_only: [],
  access: { tier: 'paid' },
};
const LOOKUP_OUTPUT = {
  results: { type: 'array', items: { type: 'object' } },
  facts_only: { type: 'array', items: { type: 'object' } },
  access: { type: 'object' },
};

const lookup = {
  price: LOOKUP_PRICE,
  methods: ['GET'] as const,
  bazaar: () =>
    bazaar('GET', { fields: lookupFields, example: { task: 'weather' } }, lookupExample, LOOKUP_OUTPUT),
};

export const LOOKUP: PaidRoute = {
  ...lookup,
  path: '/v1/lookup',
  description: 'x402 services for a task, ranked by known-answer pass rate over paid calls',
};

export const LOOKUP_PAID: PaidRoute = { ...LOOKUP, path: '/v1/lookup/paid' };

export const SPOT_CHECK: PaidRoute = {
  path: '/v1/products/endpoint-spot-check',
  description:
    'One unpaid request to an x402 endpoint: pay, skip or recheck, and the exact payment that may be signed',
  price: SPOT_CHECK_PRICE_MIN,
  methods: ['GET', 'POST'],
  bazaar: (method) =>
    bazaar(
      method,
      {
        fields: {
          url: string,
          claimed_price: string,
          method: { type: 'string', enum: ['GET', 'POST'] },
          pay_to: string,
          network: string,
          task: string,
          client: string,
          ref: string,
          mode: { type: 'string', enum: ['live', 'dry-run'] },
        },
        required: ['url'],
        example: { url: 'https://api.example.com/x', claimed_price: '0.01' },
      },
      { verdict: 'skip', reason: 'price_mismatch', quoted_price_usd: 0.05, payment: null },
      {
        verdict: { type: 'string', enum: ['pay', 'skip', 'recheck'] },
        reason: string,
        quoted_price_usd: { type: ['number', 'null'] },
        payment: { type: ['object', 'null'] },
      },
    ),
};

export const PACK: PaidRoute = {
  path: '/v1/products/overnight-cos-pack',
  description: 'Overnight Chief of Staff: five prompts, a briefing template and a PDF guide',
  price: PACK_PRICE,
  methods: ['GET', 'POST'],
  bazaar: (method) =>
    bazaar(
      method,
      { fields: {}, example: {} },
      { product: 'overnight-cos-pack', price_usdc: 9, files: { prompts: {}, templates: {}, guide: {} } },
      { product: string, price_usdc: { type: 'number' }, files: { type: 'object' } },
    ),
};

/** The routes that always cost something, and the check, of which one a day is free. */
export const PAID_ROUTES: readonly PaidRoute[] = [LOOKUP_PAID, SPOT_CHECK, PACK];

interface Input {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

function bazaar(
  method: Method,
  { fields, required = [], example }: Input,
  outputExample: Readonly<Record<string, unknown>>,
  outputFields: Readonly<Record<string, unknown>>,
): Bazaar {
  const parameters = { type: 'object', properties: fields, ...(required.length === 0 ? {} : { required }) };
  const sent = method === 'GET' ? { queryParams: example } : { bodyType: 'json', body: example };
  const sentSchema =
    method === 'GET' ? { queryParams: parameters } : { bodyType: { const: 'json' }, body: parameters };
  return {
    info: { input: { type: 'http', method, ...sent }, output: { type: 'json', example: outputExample } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: { type: { const: 'http' }, method: { enum: [method] }, ...sentSchema },
          required: ['type', 'method'],
        },
        output: {
          type: 'object',
          properties: {
            type: { const: 'json' },
            example: { type: 'object', properties: outputFields, required: Object.keys(outputExample) },
          },
          required: ['type', 'example'],
        },
      },
      required: ['input', 'output'],
    },
  };
}
