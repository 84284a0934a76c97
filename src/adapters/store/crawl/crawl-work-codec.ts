import * as z from 'zod';
import type { ListedEndpoint } from '../../../core/crawl/listed-endpoint.ts';
import { parseTargetUrl, type TargetUrl } from '../../../core/url/target-url.ts';
import type { Claim } from '../../../core/verdict/expected-terms.ts';
import { isJsonObject, type JsonObject } from '../../../core/x402/read-json.ts';
import { storedClaim, storedInput, storedListing } from '../engine/stored-values.ts';

/** A listed endpoint as JSON text. The URL is complete, because it will be called, and may contain a secret. */
export function encodeEndpoint(endpoint: ListedEndpoint): string {
  const {
    target,
    method,
    otherMethod,
    spellings,
    claim,
    otherClaims,
    input,
    service,
    updatedMs,
    list,
    listedIn,
  } = endpoint;
  // By hand and not with `z.encode`, which takes six times as long: a run encodes every URL.
  const stored: z.input<typeof storedEndpoint> = {
    target: target.href,
    method,
    ...(otherMethod === undefined ? {} : { otherMethod }),
    ...(spellings === undefined ? {} : { spellings: spellings.map(({ href }) => href) }),
    claim: storedClaimOf(claim),
    ...(otherClaims === undefined
      ? {}
      : {
          otherClaims: otherClaims.map((other) => ({
            ...storedClaimOf(other),
            sourceList: other.sourceList,
          })),
        }),
    input,
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
  const stored: unknown = JSON.parse(text);
  return storedEndpoint.parse(
    isJsonObject(stored) && 'example' in stored ? fromOlderRelease(stored) : stored,
  );
}

/** A run that an older release began: it knew no input but an example. */
function fromOlderRelease({ example, ...stored }: JsonObject): unknown {
  const input = { method: null, example, built: null, path: [], required: [] };
  return { ...stored, input: example === null ? null : input };
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
  otherMethod: z.enum(['GET', 'POST']).exactOptional(),
  spellings: z.array(storedTarget).readonly().exactOptional(),
  claim: storedClaim,
  otherClaims: z.array(storedListing).readonly().exactOptional(),
  input: storedInput.nullable(),
  service: z.string().exactOptional(),
  updatedMs: z.number().exactOptional(),
  list: z.string(),
  listedIn: z.array(z.string()).readonly(),
});
