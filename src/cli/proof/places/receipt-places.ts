import { HASH_BYTES, type Hash, isSameBytes } from '../../../core/log/tree-hash.ts';
import { type ReceiptKind, receiptKind } from '../../../core/receipt/receipt-id.ts';
import { requireRoom } from '../require-room.ts';
import { randomIdHash } from './random-id-hash.ts';

export interface ReceiptPlace {
  /** The tree that has the entry. */
  readonly origin: string;
  readonly index: number;
  /** Of the statement. */
  readonly sha256: Hash;
}

/** Where the receipts of a log are, so that an id with a second statement is found. */
export interface ReceiptPlaces {
  /** Answers the first place of this id if another statement is there, else null. Passes over ids of another kind. */
  add(id: string, place: ReceiptPlace): ReceiptPlace | null;
}

/** About 55 bytes a receipt: less than a gigabyte. */
const RECEIPTS_MAX = 16_000_000;
const FIRST_ROOM = 1_024;
/** Places in the hash table for each row: free ones end a search. */
const SLOTS_A_ROW = 2;

/** An open-addressed table in typed arrays: a `Map` of that many strings would take several times the memory. */
export function receiptPlaces(kind: ReceiptKind, most = RECEIPTS_MAX): ReceiptPlaces {
  const origins: string[] = [];
  // The log chooses the ids.
  const hashOf = randomIdHash();
  let count = 0;
  let rows = rowsFor(FIRST_ROOM);
  let slots = new Uint32Array(FIRST_ROOM * SLOTS_A_ROW);

  /** The slot of this id, or the free one where it belongs. A slot has the number of its row, counted from 1. */
  const slotOf = (high: number, low: number): number => {
    let slot = hashOf(high, low) & (slots.length - 1);
    for (;;) {
      const row = (slots[slot] ?? 0) - 1;
      if (row < 0 || (rows.high[row] === high && rows.low[row] === low)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  };
  const grow = (): void => {
    rows = rowsFor(rows.high.length * 2, rows);
    slots = new Uint32Array(rows.high.length * SLOTS_A_ROW);
    for (let row = 0; row < count; row += 1) slots[slotOf(rows.high[row] ?? 0, rows.low[row] ?? 0)] = row + 1;
  };
  const placeAt = (row: number): ReceiptPlace => ({
    origin: origins[rows.origin[row] ?? 0] ?? '',
    index: rows.index[row] ?? 0,
    sha256: rows.sha256.slice(row * HASH_BYTES, (row + 1) * HASH_BYTES),
  });
  return {
    add(id, { origin, index, sha256 }) {
      if (receiptKind(id) !== kind) return null;
      if (count === rows.high.length) grow();
      const [high, low] = halvesOf(id);
      const slot = slotOf(high, low);
      const known = (slots[slot] ?? 0) - 1;
      if (known >= 0) {
        const first = placeAt(known);
        return isSameBytes(first.sha256, sha256) ? null : first;
      }
      if (origins.at(-1) !== origin) origins.push(origin);
      rows.high[count] = high;
      rows.low[count] = low;
      rows.origin[count] = origins.length - 1;
      rows.index[count] = index;
      rows.sha256.set(sha256, count * HASH_BYTES);
      count += 1;
      slots[slot] = count;
      requireRoom(count, 'receipts', most);
      return null;
    },
  };
}

interface Rows {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly origin: Uint16Array;
  readonly index: Uint32Array;
  readonly sha256: Uint8Array;
}

function rowsFor(room: number, before?: Rows): Rows {
  const rows = {
    high: new Uint32Array(room),
    low: new Uint32Array(room),
    origin: new Uint16Array(room),
    index: new Uint32Array(room),
    sha256: new Uint8Array(room * HASH_BYTES),
  };
  if (before === undefined) return rows;
  rows.high.set(before.high);
  rows.low.set(before.low);
  rows.origin.set(before.origin);
  rows.index.set(before.index);
  rows.sha256.set(before.sha256);
  return rows;
}

/** An id is at most 64 bits. */
function halvesOf(id: string): readonly [number, number] {
  const digits = id.replace(/^sc-/, '').padStart(16, '0');
  return [Number.parseInt(digits.slice(0, 8), 16), Number.parseInt(digits.slice(8), 16)];
}
