import { z } from 'zod';
import type { ListedEndpoint } from '../../../core/crawl/listed-endpoint.ts';
import { parseTargetUrl, type TargetUrl } from '../../../core/url/target-url.ts';
import { storedMoney, storedNetwork } from '../engine/stored-values.ts';

/** A listed endpoint as JSON text. The URL is complete, because it will be called, and may contain a secret. */
export function encodeEndpoint(endpoint: ListedEndpoint): string {
  const { target, method, claim, example, service, updatedMs, list, listedIn } = endpoint;
  // By hand and not with `z.encode`, which takes six times as long: a run encodes every URL.
  const stored: z.input<typeof storedEndpoint> = {
    target: target.href,
    method,
    claim: { price: claim.price?.toString() ?? null, payTo: claim.payTo, network: claim.network },
    example: example === null ? null : { query: example.query, body: example.body },
    ...(service === undefined ? {} : { service }),
    ...(updatedMs === undefined ? {} : { updatedMs }),
    list,
    listedIn,
  };
  return JSON.stringify(stored);
}

/** Throws when unreadable: a run must not lose a URL silently. */
export function decodeEndpoint(text: string): ListedEndpoint {
  return storedEndpoint.parse(JSON.parse(text));
}

/** Only the href is stored; the rest of a target is derived from it. */
const storedTarget = z.codec(
  z.string(),
  z.custom<TargetUrl>((value) => typeof value === 'object' && value !== null),
  {
    decode: (href, { issues }) => {
      const reading = parseTargetUrl(href);
      if (reading.kind === 'target' && reading.target.href === href) return reading.target;
      // Without the text, which may contain a secret.
      issues.push({ code: 'custom', message: 'not the URL of a target', input: null });
      return z.NEVER;
    },
    encode: ({ href }) => href,
  },
);

const storedEndpoint = z.strictObject({
  target: storedTarget,
  method: z.enum(['GET', 'POST']),
  claim: z.strictObject({
    price: storedMoney.nullable(),
    payTo: z.string().nullable(),
    network: storedNetwork.nullable(),
  }),
  example: z
    .strictObject({
      query: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
      body: z.string().nullable(),
    })
    .nullable(),
  service: z.string().exactOptional(),
  updatedMs: z.number().exactOptional(),
  list: z.string(),
  listedIn: z.array(z.string()).readonly(),
});
