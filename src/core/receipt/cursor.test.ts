import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorPosition, type CursorScope, decodeCursor, encodeCursor } from './cursor.ts';

const SECRET = 'a secret of the operator';
const scope: CursorScope = { type: 'live', ref: 'campaign' };
const position: CursorPosition = {
  checkedAt: new Date('2026-11-15T12:00:00.123Z'),
  id: 'sc-00010203fcfdfeff',
};
const cursor = encodeCursor(position, scope, SECRET);

const positions = fc.record({
  checkedAt: fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
  id: fc.stringMatching(/^sc-[0-9a-f]{16}$/),
});

describe('a cursor (G52)', () => {
  it('brings back the position it was made of', () => {
    fc.assert(
      fc.property(positions, (any) => {
        expect(decodeCursor(encodeCursor(any, scope, SECRET), scope, SECRET)).toEqual(any);
      }),
    );
  });

  it('is refused after any change of a single bit', () => {
    const letters = [...cursor];
    for (const [index, letter] of letters.entries()) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
        const changed = String.fromCharCode(letter.charCodeAt(0) ^ bit);
        expect([index, bit, decodeCursor(letters.with(index, changed).join(''), scope, SECRET)]).toEqual([
          index,
          bit,
          null,
        ]);
      }
    }
  });

  it.each<[string, string, CursorScope, string]>([
    ['another type', cursor, { ...scope, type: 'dry-run' }, SECRET],
    ['another ref', cursor, { ...scope, ref: 'other' }, SECRET],
    ['no ref', cursor, { ...scope, ref: null }, SECRET],
    ['another secret', cursor, scope, 'another secret'],
    ['a letter less', cursor.slice(0, -1), scope, SECRET],
    ['a letter more', `${cursor}A`, scope, SECRET],
    ['padding', `${cursor}=`, scope, SECRET],
    ['a newline', `${cursor}\n`, scope, SECRET],
    ['nothing', '', scope, SECRET],
    ['only a signature', 'A'.repeat(24), scope, SECRET],
    ['an endless text', 'A'.repeat(100_000), scope, SECRET],
    ['a path', '../../etc/passwd/../../etc/passwd', scope, SECRET],
  ])('is refused with %s', (_, text, itsScope, secret) => {
    expect(decodeCursor(text, itsScope, secret)).toBeNull();
  });

  it('is refused when it was signed over something that is no position', () => {
    const broken = { checkedAt: new Date(Number.NaN), id: position.id };
    expect(decodeCursor(encodeCursor(broken, scope, SECRET), scope, SECRET)).toBeNull();
    const other = { ...position, id: 'not-an-id' };
    expect(decodeCursor(encodeCursor(other, scope, SECRET), scope, SECRET)).toBeNull();
  });
});
