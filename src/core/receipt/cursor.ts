import { createHmac, timingSafeEqual } from 'node:crypto';
import { newestTime } from '../is-dated-ahead.ts';
import { receiptKind } from './receipt-id.ts';

/** The last row of a page. The next page starts below it, so that new receipts neither repeat nor hide a row (gap G52). */
export interface CursorPosition {
  readonly checkedAt: Date;
  readonly id: string;
}

/** Above every receipt but those that a wrong clock has dated ahead (gap L76). */
export function newestPosition(now: Date): CursorPosition {
  return { checkedAt: new Date(newestTime(now).getTime() + 1), id: '' };
}

/** The listing that a cursor belongs to. It is signed but not part of the text: for another listing the cursor is refused. */
export interface CursorScope {
  readonly type: 'live' | 'dry-run';
  readonly ref: string | null;
}

export function encodeCursor({ checkedAt, id }: CursorPosition, scope: CursorScope, secret: string): string {
  const text = `${checkedAt.getTime()}.${id}`;
  return Buffer.concat([mac(text, scope, secret), Buffer.from(text)]).toString('base64url');
}

export function decodeCursor(cursor: string, scope: CursorScope, secret: string): CursorPosition | null {
  const bytes = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  // The last base64 character has spare bits that decode to nothing; a change there must be refused, too.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return null;
  const text = bytes.subarray(MAC_BYTES).toString('latin1');
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(text, scope, secret))) return null;
  return readPosition(text);
}

const VERSION = 'cursor-1';
const MAC_BYTES = 16;
const CURSOR = /^[A-Za-z0-9_-]{24,120}$/;

function mac(text: string, { type, ref }: CursorScope, secret: string): Buffer {
  const signed = [VERSION, type, ref ?? '', text].join('\n');
  return createHmac('sha256', secret).update(signed).digest().subarray(0, MAC_BYTES);
}

/** Only signed text gets here; it is validated nevertheless. */
function readPosition(text: string): CursorPosition | null {
  const dot = text.indexOf('.');
  const checkedAt = new Date(Number(text.slice(0, dot)));
  const id = text.slice(dot + 1);
  return Number.isNaN(checkedAt.getTime()) || receiptKind(id) === null ? null : { checkedAt, id };
}
