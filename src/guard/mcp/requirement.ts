import { isJsonObject, type JsonObject, member, parseJson } from '../../core/x402/read-json.ts';

/** A request for payment in an answer, and the same answer with what may be signed in its place. */
export interface Requirement {
  /** The document as JSON, for the judge. */
  readonly text: string;
  /** The answer for the client, with this document wherever the server had put its own. */
  show(document: JsonObject): JsonObject;
}

/** Of the specification, and of servers from before it. */
const ERROR_KEYS = ['x402/error', 'x402.error'] as const;
const WORDS = 'Payment required';
const BLOCKS_MAX = 8;
const TEXT_MAX_CHARS = 262_144;

/**
 * Clients look for it in different places: structured content, `_meta`, text that is JSON, a result of its own kind, or the data
 * of an error. Null when none of them claims terms.
 */
export function requirementIn(answer: JsonObject): Requirement | null {
  const { error, result } = { error: member(answer, 'error'), result: member(answer, 'result') };
  // Beside an error that clients cannot read, some read the result.
  const found = isJsonObject(error) ? requirementInError(error) : null;
  return found ?? (isJsonObject(result) ? requirementInResult(result) : null);
}

function requirementInError(error: JsonObject): Requirement | null {
  const data = claim(member(error, 'data'));
  if (data === null) return null;
  const code = member(error, 'code');
  return {
    text: JSON.stringify(data),
    show: (document) => ({
      error: { code: typeof code === 'number' ? code : 402, message: WORDS, data: withoutProse(document) },
    }),
  };
}

function requirementInResult(result: JsonObject): Requirement | null {
  const { isError, resultType } = {
    isError: member(result, 'isError'),
    resultType: member(result, 'resultType'),
  };
  const meta = member(result, '_meta');
  const inMeta = isJsonObject(meta) ? claimsInMeta(meta) : {};
  // A tool may be about challenges: without an error its data are data.
  const structured = isError === true ? claim(member(result, 'structuredContent')) : null;
  const inText = isError === true ? claimInText(member(result, 'content')) : null;
  const own = resultType === 'payment_required' ? claim(member(result, 'paymentRequired')) : null;
  const claims = [structured, ...Object.values(inMeta), inText, own].filter((one) => one !== null);
  if (claims.length === 0) return null;
  const metaKeys = Object.keys(inMeta);
  return {
    text: textOf(claims),
    show(document) {
      const shown = withoutProse(document);
      return {
        result: {
          ...(typeof isError === 'boolean' ? { isError } : {}),
          ...(own !== null || resultType === 'complete' ? { resultType } : {}),
          content: [{ type: 'text', text: inText === null ? WORDS : JSON.stringify(shown) }],
          ...(structured === null ? {} : { structuredContent: shown }),
          ...(own === null ? {} : { paymentRequired: shown }),
          ...(metaKeys.length === 0
            ? {}
            : { _meta: Object.fromEntries(metaKeys.map((key) => [key, shown])) }),
        },
      };
    },
  };
}

function claim(value: unknown): JsonObject | null {
  return isJsonObject(value) && member(value, 'accepts') !== undefined ? value : null;
}

function claimsInMeta(meta: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    ERROR_KEYS.flatMap((key) => {
      const found = claim(member(meta, key));
      return found === null ? [] : [[key, found] as const];
    }),
  );
}

function claimInText(content: unknown): JsonObject | null {
  if (!Array.isArray(content)) return null;
  for (const block of content.slice(0, BLOCKS_MAX)) {
    const text: unknown = isJsonObject(block) ? member(block, 'text') : undefined;
    const found = typeof text === 'string' && text.length <= TEXT_MAX_CHARS ? claim(parseJson(text)) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Places that ask for different payments make one document that contradicts itself, which the judge refuses. */
function textOf(claims: readonly JsonObject[]): string {
  const terms = new Set(
    claims.map((one) => JSON.stringify([member(one, 'x402Version'), member(one, 'accepts')])),
  );
  if (terms.size === 1) return JSON.stringify(claims[0]);
  return `{${claims.map((one) => `"accepts":${JSON.stringify(member(one, 'accepts'))}`).join()}}`;
}

const MIME_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/;

/** What signing needs, without sentences of the seller: where nobody pays, a model reads it. */
function withoutProse(document: JsonObject): JsonObject {
  const accepts = member(document, 'accepts');
  const resource = member(document, 'resource');
  const extensions = member(document, 'extensions');
  return {
    x402Version: member(document, 'x402Version'),
    error: WORDS,
    ...(isJsonObject(resource) ? { resource: bareResource(resource) } : {}),
    accepts: Array.isArray(accepts) ? accepts.map(bareEntry) : [],
    // Clients send them back, and servers compare them with what they sent.
    ...(extensions === undefined ? {} : { extensions }),
  };
}

function bareResource(resource: JsonObject): JsonObject {
  const { url, mimeType } = { url: member(resource, 'url'), mimeType: member(resource, 'mimeType') };
  return {
    ...(typeof url === 'string' && URL.canParse(url) ? { url } : {}),
    ...(typeof mimeType === 'string' && MIME_TYPE.test(mimeType) ? { mimeType } : {}),
  };
}

/** Version 1 has a description in each entry, which its clients require. */
function bareEntry(entry: unknown): unknown {
  return isJsonObject(entry) && typeof member(entry, 'description') === 'string'
    ? { ...entry, description: '' }
    : entry;
}
