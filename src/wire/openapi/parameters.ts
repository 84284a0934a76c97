import type { z } from 'zod';
import {
  CALLER_INPUT_MAX_BYTES,
  CALLER_NAME_MAX_CHARS,
  CATALOG_SEARCH,
  LOOKUP_RECEIPTS,
  LOOKUP_SERVICES,
  RECEIPTS_PAGE,
  URL_MAX_BYTES,
} from '../../core/limits.ts';
import { SKIP_CODES } from '../../core/verdict/skip-codes.ts';
import { BASE } from '../../core/x402/usdc-on-base.ts';
import { lookupParameters } from '../requests/lookup-request.ts';
import { receiptsParameters } from '../requests/receipts-request.ts';
import { servicesParameters } from '../requests/services-request.ts';
import { skipsParameters } from '../requests/skips-request.ts';
import { spotCheckParameters } from '../requests/spot-check-request.ts';
import { inputSchema, type JsonObject } from './json-schema.ts';

/** The parser's checks as a JSON schema, and an accepted value. */
interface Trait {
  readonly example: string | number | boolean;
  /** In place of the schema of the reader, which sees every query value as text. */
  readonly schema?: JsonObject;
}

/** A parameter without a trait does not compile. */
type Traits<Shape extends z.ZodObject> = Readonly<Record<keyof Shape['shape'], Trait>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query';
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly example: string | number | boolean;
}

const EXAMPLE_WALLET = '0x1111111111111111111111111111111111111111';
const PLAIN_DECIMAL = '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,40})?$';

const dollars: JsonObject = { type: 'number', minimum: 0 };
const webAddress: JsonObject = { type: 'string', format: 'uri', maxLength: URL_MAX_BYTES };
const caller: JsonObject = { type: 'string', pattern: `^[A-Za-z0-9._-]{1,${CALLER_NAME_MAX_CHARS}}$` };
const page: Trait = { example: 1, schema: wholeNumber({ min: 1, max: 999_999_999, default: 1 }) };

const lookupTraits: Traits<typeof lookupParameters> = {
  task: { example: 'weather' },
  endpoint: { example: 'https://api.example.com/v1/weather' },
  max_price: { example: 0.05, schema: dollars },
  n: { example: 5, schema: wholeNumber(LOOKUP_RECEIPTS) },
  limit: { example: 10, schema: wholeNumber(LOOKUP_SERVICES) },
  client: { example: 'my-agent', schema: caller },
  ref: { example: 'spring-campaign', schema: caller },
  payer: { example: EXAMPLE_WALLET },
};

const spotCheckTraits: Traits<typeof spotCheckParameters> = {
  url: { example: 'https://api.example.com/v1/weather', schema: webAddress },
  task: { example: 'weather' },
  claimed_price: { example: 0.01, schema: dollars },
  method: { example: 'GET' },
  pay_to: { example: EXAMPLE_WALLET },
  network: { example: BASE },
  client: { example: 'my-agent', schema: caller },
  ref: { example: 'order-17', schema: caller },
  mode: { example: 'live' },
};

const receiptsTraits: Traits<typeof receiptsParameters> = {
  type: { example: 'live' },
  ref: { example: 'order-17', schema: caller },
  limit: { example: 20, schema: wholeNumber(RECEIPTS_PAGE) },
  cursor: { example: 'next_cursor-of-the-page-before' },
  page,
};

const servicesTraits: Traits<typeof servicesParameters> = {
  query: { example: 'weather' },
  category: { example: 'weather' },
  max_price: { example: 0.05, schema: dollars },
  reachable_only: { example: true, schema: { type: 'boolean', default: false } },
  limit: { example: 20, schema: wholeNumber(CATALOG_SEARCH.services) },
};

const skipsTraits: Traits<typeof skipsParameters> = {
  format: { example: 'html' },
  page,
  reason: { example: 'price_mismatch', schema: { type: 'string', enum: SKIP_CODES } },
  list: { example: 'a-list' },
  network: { example: BASE },
  host: { example: 'api.example.com' },
  q: { example: 'weather' },
  sort: { example: 'price_gap' },
};

export const SERVICES_QUERY = queryParameters(servicesParameters, servicesTraits);
export const LOOKUP_QUERY = queryParameters(lookupParameters, lookupTraits);
export const LOOKUP_PAID_QUERY = LOOKUP_QUERY.map(asText);
export const SPOT_CHECK_QUERY = queryParameters(spotCheckParameters, spotCheckTraits);
export const RECEIPTS_QUERY = queryParameters(receiptsParameters, receiptsTraits);
export const SKIPS_QUERY = queryParameters(skipsParameters, skipsTraits);
export const URL_QUERY: readonly Parameter[] = [
  {
    name: 'url',
    in: 'query',
    description: 'Listing or endpoint URL exactly as it was checked.',
    required: true,
    schema: webAddress,
    example: 'https://api.example.com/v1/weather',
  },
];
export const BY_URL_QUERY: readonly Parameter[] = [
  ...URL_QUERY,
  {
    name: 'method',
    in: 'query',
    description: 'Only results with this method.',
    required: false,
    schema: { type: 'string', enum: ['GET', 'POST'] },
    example: 'GET',
  },
];

/** The last segment of a path. */
export const SERVICE_ID = {
  name: 'id',
  description: 'The id of a service: an id of /v1/services, /v1/tasks or a lookup.',
  schema: { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 64 },
  example: 'plain-weather',
};
export const RECEIPT_ID = {
  name: 'id',
  description:
    'The id of a receipt: receipt_id of a check (sc- and 16 hex characters), or id in /v1/skips.json and /v1/receipts (10 hex characters).',
  schema: { type: 'string', pattern: '^(sc-[0-9a-f]{16}|[0-9a-f]{10})$' },
  example: 'sc-00010203fcfdfeff',
};

/** Only a check, a page or a crawl has an id: the document links to it. */
export const RECEIPT_ID_IN_PATH: JsonObject = {
  name: RECEIPT_ID.name,
  in: 'path',
  required: true,
  description: RECEIPT_ID.description,
  schema: RECEIPT_ID.schema,
};

/**
 * The same parameters as members of a JSON body, and the one that is an object. Defaults are in words only: some generators take a
 * member with a default for one that is always there.
 */
export function spotCheckBody(parameters: readonly Parameter[]): JsonObject {
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        parameters.map(({ name, description, schema: { default: fallback, ...schema }, example }) => [
          name,
          {
            ...schema,
            description: fallback === undefined ? description : `${description} Default: ${fallback}.`,
            examples: [example],
          },
        ]),
      ),
      input: {
        type: 'object',
        description: `Input for a listed endpoint that requires it before it asks for payment; only with method POST, at most ${CALLER_INPUT_MAX_BYTES} bytes. It is sent once, after a request without it, and never stored.`,
        examples: [{ city: 'Bern' }],
      },
    },
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function queryParameters<Shape extends z.ZodObject>(shape: Shape, traits: Traits<Shape>): Parameter[] {
  const { properties, required } = inputSchema(shape);
  const known: ReadonlyMap<string, Trait> = new Map(Object.entries(traits));
  return Object.entries(properties).map(([name, property]) => {
    const trait = known.get(name);
    if (trait === undefined || typeof property === 'boolean') throw new Error(`${name} cannot be described`);
    const { description = '', examples: _, ...schema } = property;
    return {
      name,
      in: 'query',
      description,
      required: required.includes(name),
      schema: trait.schema ?? schema,
      example: trait.example,
    };
  });
}

/** The paid route takes every value as text. */
function asText(parameter: Parameter): Parameter {
  const { schema, example, description } = parameter;
  if (schema['type'] === 'string') return parameter;
  const { minimum, maximum, default: fallback } = schema;
  if (schema['type'] === 'number') {
    return { ...parameter, schema: { type: 'string', pattern: PLAIN_DECIMAL }, example: String(example) };
  }
  return {
    ...parameter,
    description: `${description} A whole number from ${minimum} to ${maximum}.`,
    schema: { type: 'string', pattern: '^[1-9][0-9]*$', default: String(fallback) },
    example: String(example),
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

function wholeNumber({ min, max, default: fallback }: Range): JsonObject {
  return { type: 'integer', minimum: min, maximum: max, default: fallback };
}
