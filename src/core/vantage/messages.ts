import { decodeBase64, encodeBase64 } from '../log/base64.ts';
import { isSignedBy } from '../log/ed25519.ts';
import {
  type NoteKey,
  type NoteSigner,
  noteKeyText,
  noteText,
  openNote,
  parseNoteKey,
  signNote,
} from '../log/note.ts';
import { observationText, readObservationText, type StatedView } from './observation-text.ts';
import { readRequestText, requestHash, requestText, type VantageRequest } from './request-text.ts';
import { OBSERVATION_MAX_CHARS } from './vantage-limits.ts';
import type { View } from './view.ts';

/** A request as it is sent, and the hash by which its answer names it. */
export interface SentRequest {
  readonly note: string;
  readonly hash: string;
}

/** Null for a request that no vantage would read. */
export function signRequest(request: VantageRequest, signer: NoteSigner): SentRequest | null {
  const text = requestText(request);
  if (readRequestText(text) === null) return null;
  return { note: signNote(text, [signer]), hash: requestHash(text) };
}

export interface OpenedRequest {
  readonly request: VantageRequest;
  readonly hash: string;
  /** Whose signature it is. */
  readonly client: NoteKey;
}

/** The form comes first: a stranger learns nothing else about it. */
export function openRequest(
  note: string,
  clients: readonly NoteKey[],
): OpenedRequest | 'malformed' | 'unsigned' {
  const text = noteText(note);
  const request = text === null ? null : readRequestText(text);
  if (text === null || request === null) return 'malformed';
  const signed = signatureOf(note, text, clients);
  return signed === null ? 'unsigned' : { request, hash: requestHash(text), client: signed.key };
}

/** Null for one that is too long to be read. */
export function signObservation(stated: StatedView, signer: NoteSigner): string | null {
  const text = observationText(stated);
  return text.length > OBSERVATION_MAX_CHARS ? null : signNote(text, [signer]);
}

/** The answer of the vantage with this key to the request with this hash; null for anything else. */
export function viewOf(note: string, key: NoteKey, request: string): View | null {
  const text = noteText(note);
  const stated = text === null ? null : readObservationText(text);
  if (text === null || stated === null || stated.request !== request) return null;
  const signed = signatureOf(note, text, [key]);
  return signed === null ? null : { vantage: noteKeyText(key), ...stated, signature: signed.signature };
}

/** Verifies a view by nothing but what it says: for those who did not ask for it. */
export function isSignedView({ vantage, signature, ...stated }: View): boolean {
  const key = parseNoteKey(vantage);
  const bytes = decodeBase64(signature);
  const text = observationText(stated);
  if (key?.type !== 1 || bytes === null || readObservationText(text) === null) return false;
  return isSignedBy(key.verifier, Buffer.from(text), bytes);
}

interface Signed {
  readonly key: NoteKey;
  /** The Ed25519 signature alone, in base64. */
  readonly signature: string;
}

const ID_BYTES = 4;

/** A message has one signature and nothing else, so that it has one spelling. */
function signatureOf(note: string, text: string, keys: readonly NoteKey[]): Signed | null {
  const opened = openNote(note, keys);
  if (typeof opened === 'string') return null;
  const [signed] = opened.signedBy;
  if (signed === undefined || signed.key.type !== 1 || note !== `${text}\n${signed.line}`) return null;
  const bytes = decodeBase64(signed.line.trimEnd().split(' ').at(-1) ?? '');
  return bytes === null ? null : { key: signed.key, signature: encodeBase64(bytes.subarray(ID_BYTES)) };
}
