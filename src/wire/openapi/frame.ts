import type { Links } from '../responses/links.ts';
import type { Example } from './examples/example.ts';
import type { ExampleName } from './examples/examples.ts';
import type { KnownService } from './examples/known-service.ts';
import type { JsonObject } from './json-schema.ts';

/** Shared by all paths of the document. */
export interface Frame {
  readonly links: Links;
  readonly payTo: string | null;
  readonly examples: Readonly<Record<ExampleName, Example>>;
  readonly known: KnownService;
}

export type Paths = Readonly<Record<string, JsonObject>>;

/** Where an earlier answer has the value of a parameter: operation, name of the parameter, JSON pointer. */
export function linkTo(operationId: string, parameter: string, pointer: string): JsonObject {
  return { operationId, parameters: { [parameter]: `$response.body#${pointer}` } };
}

export function parameterRef(name: string): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}

export const IF_NONE_MATCH = parameterRef('IfNoneMatch');

/** The headers of answers that caches may keep, and of their pages. */
export const CACHED = ['ETag', 'Cache-Control'] as const;
export const PAGED = [...CACHED, 'Link'] as const;
