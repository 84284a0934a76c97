import type { ShapeName } from '../component-schemas.ts';

/** A complete answer, its schema, and when it is given. */
export interface Example {
  readonly shape: ShapeName;
  readonly summary: string;
  readonly value: unknown;
  /** Its name among the shared examples; absent where only one route has it. */
  readonly shared?: string;
}

/** Each under its own name. */
export function shareAll<Name extends string>(
  examples: Readonly<Record<Name, Example>>,
): Record<Name, Example> {
  const named = Object.entries<Example>(examples).map(([shared, one]) => [shared, { ...one, shared }]);
  // The same names as before.
  return Object.fromEntries(named) as Record<Name, Example>;
}
