import { html } from 'hono/html';
import * as z from 'zod';
import type { Html } from '../frame/layout.ts';

/** The parts of our own OpenAPI document that the page shows; references are not resolved. */
const named = z.object({ name: z.string(), description: z.string(), required: z.boolean() });
const operation = z.object({
  summary: z.string(),
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const document = z.object({
  paths: z.record(z.string(), z.object({ get: operation.optional(), post: operation.optional() })),
});

type Operation = z.infer<typeof operation>;

/** Every route, as the OpenAPI document has it. */
export function apiReference(openApi: object): Html {
  const { paths } = document.parse(openApi);
  return html`${Object.entries(paths).map(([path, { get, post }]) => [
    get === undefined ? '' : routeOf('GET', path, get),
    post === undefined ? '' : routeOf('POST', path, post),
  ])}`;
}

function routeOf(method: string, path: string, { summary, parameters, responses }: Operation): Html {
  const shown = parameters.flatMap((parameter) => {
    const reading = named.safeParse(parameter);
    return reading.success ? [reading.data] : [];
  });
  return html`<details class="route">
<summary><code>${method} ${path}</code> ${summary}</summary>
${shown.length === 0 ? html`<p>No parameters.</p>` : parameterList(shown)}
<p>Responses: ${Object.keys(responses).join(', ')}.</p>
</details>
`;
}

function parameterList(parameters: readonly z.infer<typeof named>[]): Html {
  return html`<dl>
${parameters.map(
  ({ name, description, required }) =>
    html`<dt><code>${name}</code>${required ? ' (required)' : ''}</dt><dd>${description}</dd>\n`,
)}</dl>`;
}
