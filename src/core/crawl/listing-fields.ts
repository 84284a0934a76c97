import { type Path, pathOf } from './field-paths.ts';

/** The fields of an entry and the names that lists use for them. A list's configuration may name others. */
const USUAL_PLACES = {
  url: [
    'resource.url',
    'resource',
    'url',
    'resourceUrl',
    'resource_url',
    'endpoint',
    'endpoint_url',
    'base_url',
    'baseUrl',
  ],
  method: [
    'method',
    'http_method',
    'httpMethod',
    'extensions.bazaar.info.input.method',
    'inputSchema.method',
    'outputSchema.input.method',
    'input.method',
  ],
  accepts: ['accepts', 'payment_requirements'],
  price_usd: ['price_usd', 'priceUsd', 'pricing.amount'],
  price_atomic: ['price_atomic', 'amount_atomic', 'maxAmountRequired'],
  price_min: ['price_min', 'min_price_usd', 'priceMin'],
  price_max: ['price_max', 'max_price_usd', 'priceMax'],
  currency: ['pricing.currency', 'currency', 'payment_asset'],
  network: ['network', 'payment_network', 'pricing.network', 'networks_caip2', 'networks', 'chain', 'chains'],
  pay_to: ['payTo', 'pay_to', 'recipient'],
  name: ['serviceName', 'service_name', 'name', 'title', 'metadata.provider.name', 'provider'],
  updated: ['lastUpdated', 'last_updated', 'updatedAt', 'updated_at', 'lastSeen', 'last_checked'],
  example_query: [
    'extensions.bazaar.info.input.queryParams',
    'inputSchema.queryParams',
    'outputSchema.input.queryParams',
    'input.queryParams',
  ],
  example_body: [
    'extensions.bazaar.info.input.body',
    'inputSchema.body',
    'outputSchema.input.body',
    'input.body',
  ],
  body_fields: [
    'extensions.bazaar.info.input.bodyFields',
    'inputSchema.bodyFields',
    'outputSchema.input.bodyFields',
    'input.bodyFields',
  ],
  example_path: [
    'extensions.bazaar.info.input.pathParams',
    'inputSchema.pathParams',
    'outputSchema.input.pathParams',
    'input.pathParams',
  ],
  input_method: [
    'extensions.bazaar.info.input.method',
    'inputSchema.method',
    'outputSchema.input.method',
    'input.method',
  ],
  input_schema: ['extensions.bazaar.schema', 'inputSchema', 'input_schema'],
  parameters: ['parameters'],
  description: ['description', 'summary', 'resource.description', 'metadata.description'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ListingField = keyof typeof USUAL_PLACES;
export type FieldPlaces = Readonly<Record<ListingField, readonly Path[]>>;

export const LISTING_FIELDS: readonly ListingField[] = fieldsOf(USUAL_PLACES);

/** The default paths, except where the list's configuration overrides them. */
export function fieldPlaces(
  own: { readonly [field in ListingField]?: readonly string[] | undefined },
): FieldPlaces {
  const places = (field: ListingField) => (own[field] ?? USUAL_PLACES[field]).map(pathOf);
  const all: Partial<Record<ListingField, readonly Path[]>> = {};
  for (const field of LISTING_FIELDS) all[field] = places(field);
  // The loop above has set every field there is.
  return all as FieldPlaces;
}

function fieldsOf<T extends string>(places: Readonly<Record<T, unknown>>): readonly T[] {
  // The keys of an object literal of this file are the keys of its type.
  return Object.keys(places) as T[];
}

/** Where lists keep their entries; the empty path is a document that is itself the list. */
export const USUAL_ROWS: readonly string[] = [
  '',
  'items',
  'resources',
  'services',
  'results',
  'data',
  'data.items',
];
export const USUAL_TOTALS: readonly Path[] = [
  'total',
  'pagination.total',
  'meta.total',
  'data.pagination.total',
].map(pathOf);
