import { receiptKind } from '../receipt/receipt-id.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { isNoteText } from './note-format.ts';
import { type Hash, isHash } from './tree-hash.ts';

/** "This statement is in this log by then": the text of a note that the promise key signs. */
export interface LogPromise {
  readonly origin: string;
  readonly id: string;
  /** Of the statement. */
  readonly sha256: Hash;
  /** Whole seconds. */
  readonly by: Date;
}

/** The name of the key of promises, the same in all epochs of a log. */
export function promiseName(origin: string): string {
  return `${origin.replace(/\/log(?:\/[0-9]+)?$/, '')}/promises`;
}

const HEADER = 'assay promise v1';
const PROMISE_MAX_CHARS = 1_024;
const SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export function promiseText({ origin, id, sha256, by }: LogPromise): string {
  const time = by.toISOString().replace(/\.\d+Z$/, 'Z');
  return `${HEADER}\n${origin}\n${id}\n${encodeBase64(sha256)}\n${time}\n`;
}

/** Accepts exactly what `promiseText` writes. */
export function parsePromise(text: string): LogPromise | null {
  if (text.length > PROMISE_MAX_CHARS || !isNoteText(text)) return null;
  const [, origin = '', id = '', encoded = '', time = ''] = text.split('\n', 6);
  const sha256 = decodeBase64(encoded);
  const by = new Date(SECONDS.test(time) ? time : Number.NaN);
  if (
    origin === '' ||
    receiptKind(id) !== 'live' ||
    sha256 === null ||
    !isHash(sha256) ||
    Number.isNaN(by.getTime())
  ) {
    return null;
  }
  const promise = { origin, id, sha256, by };
  return promiseText(promise) === text ? promise : null;
}
