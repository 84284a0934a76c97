import { receiptKind } from '../receipt/receipt-id.ts';
import { unreachable } from '../unreachable.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { parseDecimal } from './checkpoint.ts';
import { parseNoteKey } from './note.ts';
import { isNoteText } from './note-format.ts';
import { type Hash, isHash } from './tree-hash.ts';

/** What the log says, one text an entry. Hashes only: statements stay outside, where they can be withdrawn. */
export type LogEntry =
  /** Inside of a run's own tree the id is `-`: the statement's salt must be needed to guess it. */
  | { readonly kind: 'receipt'; readonly id: string; readonly sha256: Hash }
  | { readonly kind: 'run'; readonly run: string; readonly sha256: Hash }
  | { readonly kind: 'rules'; readonly version: string; readonly sha256: Hash }
  | {
      readonly kind: 'withdrawal';
      readonly id: string;
      readonly sha256: Hash;
      readonly because: WithdrawalReason;
    }
  | { readonly kind: 'key'; readonly change: 'add' | 'end'; readonly vkey: string }
  | { readonly kind: 'epoch'; readonly origin: string; readonly size: number; readonly root: Hash }
  | { readonly kind: 'snapshot'; readonly run: string; readonly sha256: Hash }
  | { readonly kind: 'correction'; readonly id: string; readonly sha256: Hash };

export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];

export const WITHDRAWAL_REASONS = ['secret', 'personal', 'legal', 'error'] as const;

const ENTRY_MAX_CHARS = 4_096;
const HEADER = /^assay ([a-z]+) v1$/;
const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
/** Inside of a run's own tree. */
const NO_ID = '-';

export function entryText(entry: LogEntry): string {
  const text = `${[`assay ${entry.kind} v1`, ...linesOf(entry)].join('\n')}\n`;
  if (parseEntry(text) === null) throw new Error(`This ${entry.kind} entry could not be read again.`);
  return text;
}

/** The entry of a receipt in the tree of its run. As text: a run has a million, and `entryText` reads what it wrote. */
export function runReceiptEntry(sha256: Hash): string {
  return `assay receipt v1\n${NO_ID}\n${encodeBase64(sha256)}\n`;
}

/** Accepts exactly the texts that `entryText` writes. */
export function parseEntry(text: string): LogEntry | null {
  if (text.length > ENTRY_MAX_CHARS || !isNoteText(text)) return null;
  const [header = '', ...lines] = text.slice(0, -1).split('\n');
  const [, kind = ''] = HEADER.exec(header) ?? [];
  return READERS.get(kind)?.(lines) ?? null;
}

type ReadLines = (lines: readonly string[]) => LogEntry | null;

const READERS: ReadonlyMap<string, ReadLines> = new Map<LogEntry['kind'], ReadLines>([
  ['receipt', (lines) => readHashed(lines, isLoggedId, (id, sha256) => ({ kind: 'receipt', id, sha256 }))],
  ['correction', (lines) => readHashed(lines, isAnyId, (id, sha256) => ({ kind: 'correction', id, sha256 }))],
  ['run', (lines) => readHashed(lines, isToken, (run, sha256) => ({ kind: 'run', run, sha256 }))],
  ['snapshot', (lines) => readHashed(lines, isToken, (run, sha256) => ({ kind: 'snapshot', run, sha256 }))],
  ['rules', (lines) => readHashed(lines, isToken, (version, sha256) => ({ kind: 'rules', version, sha256 }))],
  ['withdrawal', readWithdrawal],
  ['key', readKey],
  ['epoch', readEpoch],
]);

function readHashed(
  lines: readonly string[],
  isSubject: (text: string) => boolean,
  make: (subject: string, sha256: Hash) => LogEntry,
): LogEntry | null {
  const [subject = '', encoded = ''] = lines;
  const sha256 = decodeBase64(encoded);
  if (lines.length !== 2 || !isSubject(subject) || sha256 === null || !isHash(sha256)) return null;
  return make(subject, sha256);
}

function readWithdrawal(lines: readonly string[]): LogEntry | null {
  const because = WITHDRAWAL_REASONS.find((reason) => reason === lines.at(-1));
  if (because === undefined) return null;
  return readHashed(lines.slice(0, -1), isAnyId, (id, sha256) => ({
    kind: 'withdrawal',
    id,
    sha256,
    because,
  }));
}

function readKey(lines: readonly string[]): LogEntry | null {
  const [change, vkey = ''] = lines;
  if (lines.length !== 2 || (change !== 'add' && change !== 'end')) return null;
  return parseNoteKey(vkey) === null ? null : { kind: 'key', change, vkey };
}

function readEpoch(lines: readonly string[]): LogEntry | null {
  const [origin = '', head = ''] = lines;
  const [digits = '', encoded = ''] = head.split(' ');
  const size = parseDecimal(digits);
  if (lines.length !== 2 || origin === '' || size === null || head !== `${digits} ${encoded}`) return null;
  return readHashed(
    [origin, encoded],
    () => true,
    (_, root) => ({ kind: 'epoch', origin, size, root }),
  );
}

function isLoggedId(id: string): boolean {
  return id === NO_ID || receiptKind(id) === 'live';
}

function isAnyId(id: string): boolean {
  return receiptKind(id) !== null;
}

function isToken(text: string): boolean {
  return TOKEN.test(text);
}

function linesOf(entry: LogEntry): readonly string[] {
  switch (entry.kind) {
    case 'receipt':
    case 'correction':
      return [entry.id, encodeBase64(entry.sha256)];
    case 'run':
    case 'snapshot':
      return [entry.run, encodeBase64(entry.sha256)];
    case 'rules':
      return [entry.version, encodeBase64(entry.sha256)];
    case 'withdrawal':
      return [entry.id, encodeBase64(entry.sha256), entry.because];
    case 'key':
      return [entry.change, entry.vkey];
    case 'epoch':
      return [entry.origin, `${entry.size} ${encodeBase64(entry.root)}`];
    default:
      return unreachable(entry);
  }
}
