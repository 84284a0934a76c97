import { z } from 'zod';
import type { ListedEndpoint } from '../../../core/crawl/listed-endpoint.ts';
import { parseTargetUrl, type TargetUrl } from '../../../core/url/target-url.ts';
import type { Claim } from '../../../core/verdict/expected-terms.ts';
import { storedClaim, storedListing } from '../engine/stored-values.ts';

/** A listed endpoint as JSON text. The URL is complete, because it will be called, and may contain a secret. */
export function encodeEndpoint(endpoint: ListedEndpoint): string {
  const { target, method, claim, otherClaims, example, service, updatedMs, list, listedIn } = endpoint;
  // By hand and not with `z.encode`, which takes six times as long: a run encodes every URL.
  const stored: z.input<typeof storedEndpoint> = {
    target: target.href,
    method,
    claim: storedClaimOf(claim),
    ...(otherClaims === undefined
      ? {}
      : {
          otherClaims: otherClaims.map((other) => ({
            ...storedClaimOf(other),
            sourceList: other.sourceList,
          })),
        }),
    example: example === null ? null : { query: example.query, body: example.body },
    ...(service === undefined ? {} : { service }),
    ...(updatedMs === undefined ? {} : { updatedMs }),
    list,
    listedIn,
  };
  return JSON.stringify(stored);
}

function storedClaimOf({ price, payTo, network }: Claim) {
  return { price: price?.toString() ?? null, payTo, network };
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
  claim: storedClaim,
  otherClaims: z.array(storedListing).readonly().exactOptional(),
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
