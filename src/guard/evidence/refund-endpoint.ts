import { CHALLENGE_BODY_MAX_BYTES } from '../../core/limits.ts';
import { decodeBase64Text } from '../../core/x402/base64.ts';
import { isJsonObject, member, parseJson, textMember } from '../../core/x402/read-json.ts';

const HTTPS_URL = /^https:\/\/[\x21-\x7e]{1,2040}$/;

/** `extensions.refund.info.refundEndpoint` of a 402, which the draft wants to be HTTPS. */
export function refundEndpointOf(challenge: string): string | null {
  if (challenge.length > CHALLENGE_BODY_MAX_BYTES) return null;
  // A body is JSON, a header is base64 of it.
  const json = challenge.trimStart().startsWith('{') ? challenge : decodeBase64Text(challenge);
  const info = ['extensions', 'refund', 'info'].reduce<unknown>(
    (value, name) => (isJsonObject(value) ? member(value, name) : undefined),
    json === null ? undefined : parseJson(json),
  );
  const endpoint = isJsonObject(info) ? textMember(info, 'refundEndpoint', HTTPS_URL) : null;
  return endpoint !== null && URL.canParse(endpoint) ? endpoint : null;
}
