import * as z from 'zod';
import { endpointTemplate, exampleCall } from '../../core/catalog/example-call.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { probeMethod } from './shapes.ts';

/** What the catalog says about a service: who sells what, for how much, and how to call it. */
export const serviceListing = z.object({
  id: z.string().describe('Id of the service'),
  name: z.string().describe('Display name'),
  provider: z.string().describe('Who offers it, as its listing says'),
  description: z.string().describe('What it returns, in words of ours'),
  endpoint: z.string().describe('URL to call; arguments in its path are those of the example'),
  method: probeMethod,
  endpoint_template: z
    .string()
    .optional()
    .describe('The endpoint with {names} for the arguments in its path; only if it has some'),
  path_parameters: z
    .array(
      z.object({
        name: z.string().describe('Name in endpoint_template'),
        example: z.string().describe('Its value in endpoint'),
      }),
    )
    .optional()
    .describe('The arguments in the path; only if it has some'),
  example: z
    .object({
      method: probeMethod.describe('HTTP method'),
      url: z.string().describe('Complete URL, query included'),
      body: z.record(z.string(), z.unknown()).nullable().describe('JSON body; null without one'),
    })
    .describe('One request that the service accepts'),
  price_usd: z.string().describe('Listed price per call, a decimal string'),
  tasks: z.array(z.string()).describe('Task names'),
});

export function serviceListingJson(service: Service): z.infer<typeof serviceListing> {
  const { path_parameters: parameters } = service;
  const template = endpointTemplate(service);
  return {
    id: service.id,
    name: service.name,
    provider: service.provider,
    description: service.description,
    endpoint: service.endpoint.href,
    method: service.method,
    ...(template === null ? {} : { endpoint_template: template, path_parameters: parameters }),
    example: {
      method: service.method,
      url: exampleCall(service)?.target.href ?? service.endpoint.href,
      body: service.method === 'POST' ? (service.example.body ?? {}) : null,
    },
    price_usd: formatUsd(service.price),
    tasks: service.tasks,
  };
}
