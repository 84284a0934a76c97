import { parseDecimal } from '../log/checkpoint.ts';
import { type NoteKey, parseNoteKey } from '../log/note.ts';
import { isSameBytes } from '../log/tree-hash.ts';
import { VANTAGES_MAX } from './vantage-limits.ts';

export interface ListedVantage {
  /** Has a meaning inside of the file and in metrics only. */
  readonly name: string;
  readonly key: NoteKey;
  readonly url: string;
}

/** Whom a service asks, and how many of them must agree. */
export interface VantageList {
  readonly vantages: readonly ListedVantage[];
  /** From 1 to the number of vantages. */
  readonly quorum: number;
}

export interface FileFault {
  readonly fault: string;
  /** Counted from 1. */
  readonly line: number;
}

const FILE_MAX_CHARS = 65_536;
const CLIENTS_MAX = 64;
const NAME = /^[A-Za-z0-9._-]{1,32}$/;

/** Lines `vantage NAME KEY URL` and one `quorum N`; the address is for the caller to judge. */
export function parseVantages(text: string): VantageList | FileFault {
  const vantages: ListedVantage[] = [];
  const state: { quorum: number | null } = { quorum: null };
  const fault = eachLine(text, ([keyword, ...items]) => {
    if (keyword === 'vantage') return addVantage(vantages, items);
    if (keyword !== 'quorum') return 'A line starts with vantage or quorum.';
    if (state.quorum !== null) return 'There is a second quorum line.';
    state.quorum = items.length === 1 ? parseDecimal(items[0] ?? '') : null;
    return state.quorum === null ? 'A quorum is a number.' : null;
  });
  if (fault !== null) return fault;
  const { quorum } = state;
  const line = Math.max(1, text.split('\n').length - 1);
  if (vantages.length === 0) return { fault: 'There is no vantage line.', line };
  if (quorum === null) return { fault: 'There is no quorum line.', line };
  if (quorum < 1 || quorum > vantages.length)
    return { fault: 'The quorum is not between 1 and the number of vantages.', line };
  return { vantages, quorum };
}

/** Lines `client KEY`: whose requests a vantage answers. */
export function parseClients(text: string): { readonly clients: readonly NoteKey[] } | FileFault {
  const clients: NoteKey[] = [];
  const fault = eachLine(text, ([keyword, vkey = '', ...rest]) => {
    if (keyword !== 'client' || rest.length > 0) return 'A line is client and a verifier key.';
    const key = parseNoteKey(vkey);
    if (key?.type !== 1) return 'A client needs an Ed25519 verifier key.';
    if (clients.some((one) => isSameBytes(one.publicKey, key.publicKey)))
      return 'Another client has the same public key.';
    if (clients.length === CLIENTS_MAX) return `There are more than ${CLIENTS_MAX} clients.`;
    clients.push(key);
    return null;
  });
  if (fault !== null) return fault;
  return clients.length > 0 ? { clients } : { fault: 'There is no client line.', line: 1 };
}

function addVantage(
  vantages: ListedVantage[],
  [name = '', vkey = '', url = '', ...rest]: readonly string[],
): string | null {
  const key = parseNoteKey(vkey);
  if (url === '' || rest.length > 0) return 'A vantage has a name, a key and a URL.';
  if (!NAME.test(name)) return 'A name has up to 32 letters, digits, dots, hyphens and underscores.';
  if (key?.type !== 1) return 'A vantage needs an Ed25519 verifier key.';
  // One that is named twice would agree with itself.
  if (vantages.some((one) => isSameBytes(one.key.publicKey, key.publicKey)))
    return 'Another vantage has the same public key.';
  if (vantages.some((one) => one.name === name)) return 'The name is taken.';
  if (vantages.length === VANTAGES_MAX) return `There are more than ${VANTAGES_MAX} vantages.`;
  vantages.push({ name, key, url });
  return null;
}

/** Calls `read` with the words of every line that is no comment; the first fault, or null. */
function eachLine(
  text: string,
  read: (words: readonly [string, ...string[]]) => string | null,
): FileFault | null {
  const lines = text.split('\n');
  if (text.length > FILE_MAX_CHARS) return { fault: 'The file is too long.', line: 1 };
  // A file that was cut off could have another quorum than its author wrote.
  if (lines.pop() !== '')
    return { fault: 'The last line does not end with a newline.', line: lines.length + 1 };
  for (const [at, line] of lines.entries()) {
    const [first, ...rest] = line.split(/[ \t\r]+/).filter((word) => word !== '');
    if (first === undefined || first.startsWith('#')) continue;
    const fault = read([first, ...rest]);
    if (fault !== null) return { fault, line: at + 1 };
  }
  return null;
}
