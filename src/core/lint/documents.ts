import { headerValues } from '../header-values.ts';
import { trimBlanks } from '../trim-blanks.ts';
import type { ProbeAnswer } from '../verdict/probe-outcome.ts';
import { decodeBase64Text, decodeUtf8 } from '../x402/base64.ts';
import { readDocument } from '../x402/read-document.ts';
import { type JsonObject, member } from '../x402/read-json.ts';

/** The terms of each version that a 402 carries, where they can be read. */
export interface Documents {
  readonly header: JsonObject | null;
  readonly body: JsonObject | null;
}

export function documentsOf({ headers, body }: Pick<ProbeAnswer, 'headers' | 'body'>): Documents {
  const value = headerValues(headers, 'payment-required').map(trimBlanks)[0] ?? '';
  const inBody = objectIn(decodeUtf8(body));
  return {
    header: objectIn(decodeBase64Text(value) ?? ''),
    body: inBody !== null && member(inBody, 'accepts') !== undefined ? inBody : null,
  };
}

function objectIn(text: string): JsonObject | null {
  const reading = readDocument(text);
  return reading.kind === 'object' ? reading.members : null;
}
