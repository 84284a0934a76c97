import type { Links } from '../responses/links.ts';
import type { JsonObject } from './component-schemas.ts';
import type { Example, ExampleName } from './examples/examples.ts';

/** Shared by all paths of the document. */
export interface Frame {
  readonly links: Links;
  readonly payTo: string | null;
  readonly examples: Readonly<Record<ExampleName, Example>>;
}

export type Paths = Readonly<Record<string, JsonObject>>;

export function parameterRef(name: string): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
