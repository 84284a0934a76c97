import { hash } from 'node:crypto';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { isSignedBy, PUBLIC_KEY_BYTES, SIGNATURE_BYTES, type Verifier, verifierOf } from './ed25519.ts';
import { isKeyName, isNoteText } from './note-format.ts';

/** A public key that verifies notes (c2sp.org/signed-note). Name and id together identify it. */
export interface NoteKey {
  readonly name: string;
  /** An unsigned 32-bit integer. */
  readonly id: number;
  /** 1: Ed25519 over the note text. 4: timestamped Ed25519 cosignature of a checkpoint. */
  readonly type: 1 | 4;
  /** Raw Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly verifier: Verifier;
}

export interface NoteSigner {
  readonly key: NoteKey;
  /** The raw Ed25519 signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

export interface SignedBy {
  readonly key: NoteKey;
  /** POSIX seconds of a cosignature; null for a plain signature. */
  readonly time: number | null;
  /** As it stands in the note, with its newline. */
  readonly line: string;
}

export interface OpenedNote {
  readonly text: string;
  /** Each known key once, in the order of the lines; of several cosignatures by one key the latest time. */
  readonly signedBy: readonly SignedBy[];
}

export type NoteFault = 'malformed' | 'unsigned' | 'bad_signature';

/** Room for the 16 signatures of 5 kB that every verifier must accept, in base64, and the text. */
const NOTE_MAX_CHARS = 262_144;
const SIGNATURES_MAX = 64;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const VKEY_MAX_CHARS = 1_024;
const VKEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/u;
const LINE = /^— ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/u;

export function noteKey(name: string, type: 1 | 4, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name)) throw new Error('A key name must not be empty nor contain spaces or a plus.');
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new Error('An Ed25519 public key has 32 bytes.');
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey]), 'buffer');
  return { name, id: id.readUInt32BE(), type, publicKey, verifier: verifierOf(publicKey) };
}

/** Reads a verifier key. Only Ed25519 and its cosignatures; the id must be the recommended hash. */
export function parseNoteKey(vkey: string): NoteKey | null {
  if (vkey.length > VKEY_MAX_CHARS) return null;
  const [, name = '', id = '', encoded = ''] = VKEY.exec(vkey) ?? [];
  const bytes = decodeBase64(encoded);
  const type = bytes?.[0];
  if (bytes === null || (type !== 1 && type !== 4) || !isKeyName(name)) return null;
  const key = noteKey(name, type, bytes.subarray(1));
  return key.id === Number.parseInt(id, 16) ? key : null;
}

/** The verifier key in its text form. */
export function noteKeyText({ name, id, type, publicKey }: NoteKey): string {
  const hex = id.toString(16).padStart(8, '0');
  return `${name}+${hex}+${encodeBase64(Buffer.concat([Buffer.of(type), publicKey]))}`;
}

export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isNoteText(text)) throw new Error('A note text ends with a newline and has no control characters.');
  const lines = signers.map((signer) => {
    if (signer.key.type !== 1) throw new Error('A cosigner key cannot sign a note text.');
    return signatureLine(signer.key, signer.sign(Buffer.from(text)));
  });
  if (lines.length === 0) throw new Error('A note has at least one signature.');
  return `${text}\n${lines.join('')}`;
}

/** One timestamped signature line of a checkpoint text (c2sp.org/tlog-cosignature, type 4). */
export function cosign(text: string, time: number, signer: NoteSigner): string {
  if (!isNoteText(text)) throw new Error('A note text ends with a newline and has no control characters.');
  if (signer.key.type !== 4) throw new Error('A cosignature needs a cosigner key.');
  if (!Number.isSafeInteger(time) || time < 0)
    throw new Error('A cosignature time is in whole POSIX seconds.');
  const stamp = Buffer.alloc(TIME_BYTES);
  stamp.writeBigUInt64BE(BigInt(time));
  return signatureLine(signer.key, Buffer.concat([stamp, signer.sign(cosignedMessage(text, time))]));
}

/**
 * Verifies every signature of a known key and ignores all others. One failure refuses the whole note, as the
 * specification recommends: a known key with a wrong signature is an attack or a defect, never normal.
 */
export function openNote(note: string, keys: readonly NoteKey[]): OpenedNote | NoteFault {
  const parts = splitNote(note);
  if (parts === null) return 'malformed';
  const signedBy: SignedBy[] = [];
  for (const line of parts.signatures) {
    // Two configured keys may share name and id: the line then belongs to the one that verifies it.
    const known = keys.filter(({ name, id }) => name === line.name && id === line.id);
    if (known.length === 0) continue;
    const found = known.map((key) => verifiedBy(key, parts.text, line)).find((one) => one !== null);
    if (found === undefined || found === null) return 'bad_signature';
    const before = signedBy.findIndex(({ key }) => key === found.key);
    if (before < 0) signedBy.push(found);
    else if ((found.time ?? 0) > (signedBy[before]?.time ?? 0)) signedBy[before] = found;
  }
  return signedBy.length === 0 ? 'unsigned' : { text: parts.text, signedBy };
}

/** The text of a well-formed note without any verification; null when it is malformed. */
export function noteText(note: string): string | null {
  return splitNote(note)?.text ?? null;
}

interface SignatureLine {
  readonly name: string;
  readonly id: number;
  readonly signature: Uint8Array;
  readonly line: string;
}

function splitNote(note: string): { text: string; signatures: readonly SignatureLine[] } | null {
  if (note.length > NOTE_MAX_CHARS || !isNoteText(note)) return null;
  const blank = note.lastIndexOf('\n\n');
  if (blank < 0) return null;
  const lines = note.slice(blank + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) return null;
  const signatures: SignatureLine[] = [];
  for (const line of lines) {
    const parsed = parseLine(line);
    if (parsed === null) return null;
    signatures.push(parsed);
  }
  return { text: note.slice(0, blank + 1), signatures };
}

function parseLine(line: string): SignatureLine | null {
  const [, name = '', encoded = ''] = LINE.exec(line) ?? [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || bytes === null || bytes.length <= ID_BYTES) return null;
  const id = Buffer.from(bytes.subarray(0, ID_BYTES)).readUInt32BE();
  return { name, id, signature: bytes.subarray(ID_BYTES), line: `${line}\n` };
}

function verifiedBy(key: NoteKey, text: string, { signature, line }: SignatureLine): SignedBy | null {
  if (key.type === 1) {
    const isValid = isSignedBy(key.verifier, Buffer.from(text), signature);
    return isValid ? { key, time: null, line } : null;
  }
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = Number(Buffer.from(signature.subarray(0, TIME_BYTES)).readBigUInt64BE());
  // A time beyond the safe integers lies millions of years ahead; rounded, its message would be another one.
  if (!Number.isSafeInteger(time)) return null;
  const isValid = isSignedBy(key.verifier, cosignedMessage(text, time), signature.subarray(TIME_BYTES));
  return isValid ? { key, time, line } : null;
}

function cosignedMessage(text: string, time: number): Uint8Array {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}

function signatureLine({ name, id }: NoteKey, signature: Uint8Array): string {
  const prefix = Buffer.alloc(ID_BYTES);
  prefix.writeUInt32BE(id);
  return `— ${name} ${encodeBase64(Buffer.concat([prefix, signature]))}\n`;
}
