import type { z } from 'zod';

/** A mistake in a request, with a message for the caller. */
export interface BadRequest {
  readonly kind: 'bad_request';
  readonly field: string;
  readonly message: string;
}

export type Reading<T> = { readonly kind: 'read'; readonly value: T } | BadRequest;

export function badRequest(field: string, message: string): BadRequest {
  return { kind: 'bad_request', field, message };
}

/** Parses parameters by their schema. The first error is reported with the name of its field. */
export function readWith<Out>(schema: z.ZodType<Out>, parameters: unknown): Reading<Out> {
  const reading = schema.safeParse(parameters);
  if (reading.success) return { kind: 'read', value: reading.data };
  const [issue] = reading.error.issues;
  const field = String(issue?.path[0] ?? 'request');
  return badRequest(field, `${field} ${issue?.message ?? 'cannot be read'}.`);
}
