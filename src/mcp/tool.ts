import type { z } from 'zod';
import { type MicroUsd, usdNumber } from '../core/money/micro-usd.ts';
import type { Parameter as QueryParameter } from '../wire/openapi/parameters.ts';
import { answers, type JsonSchema } from './output-outline.ts';

type Parameter = Omit<QueryParameter, 'in'>;

/** An MCP tool. A route of the service does the work, so HTTP and MCP agree (gap G69). */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Path of the route that answers; an argument that belongs into the path is taken out of the query. */
  readonly path: (given: ReadonlyMap<string, string>) => ToolPath;
  readonly parameters: readonly Parameter[];
  readonly shapes: readonly (readonly [z.ZodType, depth: number])[];
  readonly hints: ToolHints;
  /** What it costs at least, when it costs something. */
  readonly price: MicroUsd | null;
}

export type ToolPath =
  | { readonly kind: 'path'; readonly path: string; readonly taken?: string }
  | { readonly kind: 'fault'; readonly field: string; readonly detail: string };

export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export function inputSchemaOf({ parameters }: Pick<Tool, 'parameters'>): JsonSchema {
  const properties = parameters.map(({ name, description, schema, example }) => [
    name,
    { ...schema, description, examples: [example] },
  ]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    // A misspelled pay_to must not be ignored: the check would approve any payee.
    additionalProperties: false,
  };
}

export function outputSchemaOf({ shapes, price }: Tool): JsonSchema {
  return answers(shapes, price !== null);
}

/** As tools/list shows it; the last two members are how Cloudflare's clients learn that it may cost something. */
export function listedTool(tool: Tool) {
  const { name, title, description, hints, price } = tool;
  const sold =
    price === null
      ? {}
      : { _meta: { 'agents-x402/paymentRequired': true, 'agents-x402/priceUSD': usdNumber(price) } };
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object' as const, ...inputSchemaOf(tool) },
    outputSchema: { type: 'object' as const, ...outputSchemaOf(tool) },
    annotations: { title, ...hints },
    ...sold,
  };
}
