import type { HeaderFields } from '../header-values.ts';
import { ANSWER_HEADER_FIELDS_MAX } from '../limits.ts';
import type { ProbeAnswer } from '../verdict/probe-outcome.ts';
import { decodeUtf8, encodeBase64Text } from '../x402/base64.ts';
import { isJsonObject, member, parseJson } from '../x402/read-json.ts';

/** A 402 that somebody kept: the whole response, or the document in it. */
export type SavedAnswer =
  | { readonly kind: 'saved'; readonly answer: ProbeAnswer; readonly hasHeaders: boolean }
  | { readonly kind: 'invalid'; readonly problem: string };

const STATUS_LINE = /^HTTP\/[0-9.]{1,3} ([1-5][0-9]{2})(?: [^\r\n]*)?\r?$/;
const NOT_A_402 = 'is neither a response as curl -i prints it nor a JSON object';

export function readSavedAnswer(bytes: Uint8Array): SavedAnswer {
  // Every byte is a character, so that positions in the text are positions in the file.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.startsWith('HTTP/') ? readResponse(text, bytes, 0) : readJson(decodeUtf8(bytes));
}

/** curl prints interim answers and those of proxies before the last one. */
const RESPONSES_MAX = 8;

function readResponse(text: string, bytes: Uint8Array, start: number, before = 0): SavedAnswer {
  const end = /\r?\n\r?\n/g;
  end.lastIndex = start;
  const blank = end.exec(text);
  const headEnd = blank === null ? text.length : blank.index;
  const bodyStart = blank === null ? text.length : end.lastIndex;
  if (before < RESPONSES_MAX && text.startsWith('HTTP/', bodyStart)) {
    return readResponse(text, bytes, bodyStart, before + 1);
  }
  const [first = '', ...lines] = text.slice(start, headEnd).split('\n');
  const status = Number(STATUS_LINE.exec(first)?.[1] ?? 0);
  if (status === 0) return { kind: 'invalid', problem: 'begins like a response but has no status line' };
  if (lines.length > ANSWER_HEADER_FIELDS_MAX)
    return { kind: 'invalid', problem: 'has too many header fields' };
  const headers = lines.flatMap(fieldOf);
  const body = bytes.subarray(bodyStart);
  return { kind: 'saved', answer: answerOf(status, headers, body), hasHeaders: true };
}

function fieldOf(line: string): HeaderFields {
  const colon = line.indexOf(':');
  return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
}

/** Version 2 has its document in the header, everything else in the body. */
function readJson(text: string): SavedAnswer {
  const document = parseJson(text);
  if (!isJsonObject(document)) return { kind: 'invalid', problem: NOT_A_402 };
  const answer =
    member(document, 'x402Version') === 2
      ? answerOf(402, [['payment-required', encodeBase64Text(text.trim())]], new Uint8Array())
      : answerOf(402, [], new TextEncoder().encode(text));
  return { kind: 'saved', answer, hasHeaders: false };
}

function answerOf(status: number, headers: HeaderFields, body: Uint8Array): ProbeAnswer {
  return { kind: 'answered', status, headers, body, bodyComplete: true };
}
