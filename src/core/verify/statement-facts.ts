import { decodeBase64 } from '../log/base64.ts';
import { parseDecimal } from '../log/checkpoint.ts';
import { type Hash, isHash, isSameBytes } from '../log/tree-hash.ts';
import { type ReceiptKind, receiptKind } from '../receipt/receipt-id.ts';
import { isJsonObject, member, parseJson, textMember } from '../x402/read-json.ts';

/** What verification needs of a statement, of whatever version its rules are. */
export interface StatementFacts {
  readonly text: string;
  readonly id: string;
  readonly kind: ReceiptKind;
  readonly rules: string;
  readonly verdict: string;
  readonly reason: string;
  /** Of a crawl receipt. */
  readonly run: string | null;
}

export interface RunFacts {
  readonly id: string;
  readonly size: number;
  readonly root: Hash;
}

const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const ANY_ID = /^[a-z0-9-]{1,40}$/;
const HEX_HASH = /^[0-9a-f]{64}$/;
/** Of the statement of a receipt. */
export const STATEMENT_MAX_BYTES = 524_288;
const RUN_MAX_BYTES = 1_048_576;

/** Null when nobody could say whose statement this is. The rules file of its version reads the rest, and strictly. */
export function statementFacts(bytes: Uint8Array): StatementFacts | null {
  const text = utf8(bytes, STATEMENT_MAX_BYTES);
  const value = text === null ? undefined : parseJson(text);
  if (text === null || !isJsonObject(value)) return null;
  const id = textMember(value, 'id', ANY_ID) ?? '';
  const kind = receiptKind(id);
  const rules = textMember(value, 'rules', TOKEN);
  const verdict = textMember(value, 'verdict', TOKEN);
  const reason = textMember(value, 'code', TOKEN) ?? textMember(value, 'reason', TOKEN) ?? '';
  const run = textMember(value, 'run', TOKEN);
  if (kind === null || rules === null || verdict === null) return null;
  return { text, id, kind, rules, verdict, reason, run };
}

/** The size and the root of the tree that holds the receipts of a run. */
export function runFacts(bytes: Uint8Array): RunFacts | null {
  const text = utf8(bytes, RUN_MAX_BYTES);
  const value = text === null ? undefined : parseJson(text);
  if (!isJsonObject(value) || member(value, 'assay') !== 'run/1') return null;
  const id = textMember(value, 'id', TOKEN);
  const size = parseDecimal(String(member(value, 'size')));
  const root = readHash(member(value, 'root'));
  return id === null || size === null || root === null ? null : { id, size, root };
}

function readHash(value: unknown): Hash | null {
  if (typeof value !== 'string') return null;
  const bytes = HEX_HASH.test(value) ? Buffer.from(value, 'hex') : decodeBase64(value);
  return bytes !== null && isHash(bytes) ? bytes : null;
}

function utf8(bytes: Uint8Array, most: number): string | null {
  if (bytes.length > most) return null;
  const text = Buffer.from(bytes).toString();
  return isSameBytes(Buffer.from(text), bytes) ? text : null;
}
