import { ACCEPTS_MAX_ENTRIES, CHALLENGE_BODY_MAX_BYTES, JSON_MAX_DEPTH } from '../limits.ts';
import { type Explanation, error, warning } from './explanation.ts';

/** The answer as a whole, and the document with the terms around its entries. */
export const DOCUMENT_CODES = {
  headers_too_large: error(
    'The header fields of the response are too large to read.',
    'Send fewer and shorter header fields. Keep descriptions and schemas out of PAYMENT-REQUIRED.',
  ),
  terms_without_402: error(
    'The response carries payment terms but its status is not 402. Clients ignore terms in any other response.',
    'Answer an unpaid request with HTTP 402.',
  ),
  no_terms: error(
    'The response is HTTP 402 without x402 payment terms.',
    'Send the terms as base64-encoded JSON in the header PAYMENT-REQUIRED (version 2), or as a JSON body with x402Version 1 and accepts.',
  ),
  header_repeated: error(
    'The header PAYMENT-REQUIRED occurs more than once. Clients disagree on which one counts.',
    'Send it once. Check whether a proxy or a second middleware adds another.',
  ),
  header_empty: warning(
    'The header PAYMENT-REQUIRED is present but empty.',
    'Put the base64-encoded terms in it, or leave it out.',
  ),
  header_too_long: error(
    'The header PAYMENT-REQUIRED is too long to read.',
    'Shorten it to a few kilobytes: fewer entries, no schemas or long descriptions.',
  ),
  header_plain_json: error(
    'The header PAYMENT-REQUIRED holds JSON that is not base64-encoded.',
    'Encode the JSON text in base64.',
  ),
  header_not_base64: error(
    'The header PAYMENT-REQUIRED is not valid base64.',
    'Encode the JSON text in base64 without blanks, line breaks or quotes, with correct padding or none.',
  ),
  body_too_large: error(
    'The body may hold terms but is too large or could not be decoded, or did not arrive completely.',
    `Keep the body of a 402 below ${CHALLENGE_BODY_MAX_BYTES / 1_024} kB, send all of it at once, encode it as Content-Encoding says, and name no charset but UTF-8 in Content-Type.`,
  ),
  json_not_object: error(
    'The terms are not a JSON object.',
    'Send one JSON object with x402Version and accepts. A list of entries alone is not enough.',
  ),
  json_invalid: error(
    'The terms are not valid JSON.',
    'Build the text with a JSON library. Look for trailing commas, single quotes, comments and a text that is cut off.',
  ),
  json_too_deep: error(
    `The JSON is nested deeper than ${JSON_MAX_DEPTH} levels.`,
    'Remove nested schemas or examples from the terms.',
  ),
  repeated_member: error(
    'An object has this member twice. One client reads the first, another the last.',
    'Send each member once.',
  ),
  escaped_name: error(
    'The name of a member is written with escape sequences for plain letters. Some clients read another name.',
    'Write the names of members without \\u escapes.',
  ),
  misspelled_name: error(
    'This member is spelled in another way, such as other capitals or underscores. Clients do not find it.',
    'Use exactly the name in the path.',
  ),
  version_invalid: error(
    'x402Version is neither the number 1 nor the number 2.',
    'Send the number 2, not text such as "2".',
  ),
  version_missing: warning(
    'x402Version is missing. Most clients refuse terms without it.',
    'Add "x402Version": 2.',
  ),
  accepts_missing: error(
    'The terms have no member accepts.',
    'Add accepts: a list with at least one way to pay.',
  ),
  accepts_not_list: error(
    'accepts is not a list.',
    'Put the entry in a list, even when there is only one: "accepts": [{ ... }].',
  ),
  accepts_empty: error(
    'accepts is empty: there is no way to pay.',
    'Add an entry. An empty list often means that the server found no price for this route.',
  ),
  v2_in_body: warning(
    'The terms have x402Version 2 but are only in the body. Clients of version 2 read the header PAYMENT-REQUIRED.',
    'Send the same terms as base64-encoded JSON in the header PAYMENT-REQUIRED.',
  ),
  v1_in_header: warning(
    'The terms have x402Version 1 but are in the header. Clients of version 1 read the body.',
    'Send version 2 in the header, or version 1 in the body.',
  ),
  resource_missing: warning(
    'Version 2 requires the member resource, an object with the url of what is paid for.',
    'Add "resource": { "url": "https://..." }.',
  ),
  header_and_body_differ: error(
    'The header asks for one payment and the body for another. Old and new clients would pay differently.',
    'Generate both from the same price, payee, network and asset, or send the terms in the header only.',
  ),
  body_unclear: error(
    'Beside the terms in the header, the body may hold other terms that cannot be read.',
    'Send a short, valid UTF-8 JSON body with the same terms, or a body without accepts.',
  ),
  too_many_entries: error(
    `accepts has more than ${ACCEPTS_MAX_ENTRIES} entries. A client could sign one that was not checked.`,
    `Offer at most ${ACCEPTS_MAX_ENTRIES} entries; one per network is enough.`,
  ),
  several_payees: error(
    'This entry pays another payee than the others on the same kind of chain. A client could sign either.',
    'Use one payee for all entries on EVM networks, and one for all entries on Solana.',
  ),
  dearer_entry: error(
    'This entry asks for more USDC than another one. A client signs the first entry that it can, not the cheapest.',
    'Ask for the same amount in every entry with USDC.',
  ),
} as const satisfies Readonly<Record<string, Explanation>>;
