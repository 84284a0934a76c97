import * as z from 'zod';
import { readBase64url } from '../../core/seller/base64url.ts';
import { replyNote } from '../../core/seller/reply-note.ts';
import { REPLY_MAX_CHARS, SELLER_BODY_MAX_BYTES } from '../../core/seller/seller-limits.ts';
import type { SellerRequest } from '../../core/seller/seller-request.ts';
import { KEY_BYTES, SIGNATURE_BYTES, type SignedDocument } from '../../core/seller/signed-document.ts';
import { boundedText, parsed } from './fields.ts';
import { badRequest, type Reading, readWith } from './reading.ts';
import { target } from './spot-check-request.ts';

const base64url = (bytes: number, chars: number) =>
  boundedText(256)
    .refine(
      (text) => readBase64url(text, bytes) !== null,
      `must be ${bytes} bytes in base64url without padding`,
    )
    .meta({ pattern: `^[A-Za-z0-9_-]{${chars}}$` });

/** What the owner of an endpoint sends: a statement and its signature (gap L110). */
export const signedDocument = z.object({
  statement: boundedText(SELLER_BODY_MAX_BYTES)
    .describe(
      'JSON text of a SellerStatement, exactly as signed: the signature is over "assay-seller-v1", a line feed and this text in UTF-8.',
    )
    .meta({
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/SellerStatement' },
      examples: [
        '{"action":"retest","url":"https://api.example.com/v1/weather","at":"2026-11-15T12:00:00Z"}',
      ],
    }),
  key: base64url(KEY_BYTES, 43).describe('The Ed25519 public key that the host publishes, raw.'),
  signature: base64url(SIGNATURE_BYTES, 86).describe('The Ed25519 signature.'),
});

/** The members of the body that are read. */
export const SELLER_MEMBERS: ReadonlySet<string> = new Set(Object.keys(signedDocument.shape));

const common = {
  url: target.describe('The endpoint; its host publishes the key.'),
  method: z
    .enum(['GET', 'POST'], 'must be GET or POST')
    .optional()
    .describe('By default the method of the listing, else GET.'),
  at: z.iso
    .datetime({ error: 'must be an ISO 8601 time in UTC, such as 2026-11-15T12:00:00Z' })
    .describe('Within 5 minutes of the time of the service.'),
};

const note = parsed(
  z.string('must be a single string'),
  replyNote,
  `must be words of at most ${REPLY_MAX_CHARS} characters`,
);

/** The actions, each with its own members. Unknown members are ignored, but not in a reply: its statement is published. */
export const sellerStatement = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('retest').describe('Check the endpoint again at once.'),
      ...common,
    }),
    z.strictObject(
      {
        action: z.literal('reply').describe('Publish a note beside the receipts of the endpoint.'),
        ...common,
        note: note.describe(`The words to publish, at most ${REPLY_MAX_CHARS} characters.`),
      },
      'must have no other members',
    ),
    z.object({
      action: z.literal('withdraw_reply').describe('Remove the reply.'),
      ...common,
    }),
    z.object({
      action: z.literal('watch').describe('Notify a webhook of changes of the endpoint.'),
      ...common,
      webhook: target.describe('The https URL to notify.'),
    }),
    z.object({
      action: z.literal('unwatch').describe('End all watches of the endpoint.'),
      ...common,
    }),
  ],
  { error: 'must be retest, reply, withdraw_reply, watch or unwatch' },
);

export function readSellerRequest(body: unknown): Reading<SellerRequest> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    return badRequest('body', 'The body must be a JSON object with statement, key and signature.');
  }
  const reading = readWith(signedDocument, body);
  return reading.kind === 'read' ? readStatement(reading.value) : reading;
}

function readStatement(document: SignedDocument): Reading<SellerRequest> {
  const json = jsonOf(document.statement);
  if (json === null) return badRequest('statement', 'statement must be the JSON text of an object.');
  const reading = readWith(sellerStatement, json);
  if (reading.kind === 'bad_request') {
    // An issue of the whole object has no field.
    if (reading.field === 'request') return badRequest('statement', 'statement must have no other members.');
    return badRequest(`statement.${reading.field}`, `statement.${reading.message}`);
  }
  const { url, method = null, at, ...wanted } = reading.value;
  if ('url' in json && String(json.url).includes('#')) {
    return badRequest('statement.url', 'statement.url must have no fragment: no request carries it.');
  }
  // It is published as it is: a repeated member would be words that nobody has read.
  if (wanted.action === 'reply' && JSON.stringify(json) !== document.statement) {
    return badRequest('statement', COMPACT);
  }
  return { kind: 'read', value: { document, target: url, method, at: new Date(at), wanted } };
}

const COMPACT =
  'statement of a reply must be compact JSON: no member twice, no blanks between members, and no escapes that are not needed.';

function jsonOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
