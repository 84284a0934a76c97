import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LogAway } from '../log-files.ts';
import { receiptPlaces } from './receipt-places.ts';

const sha256 = (text: string) => hash('sha256', text, 'buffer');
const liveId = (n: number) => `sc-${n.toString(16).padStart(16, '0')}`;
const at = (index: number, text: string, origin = 'a/log') => ({ origin, index, sha256: sha256(text) });

describe('the places of receipts', () => {
  it('finds the first place of an id that has another statement', () => {
    const places = receiptPlaces('live');
    expect(places.add('sc-ffffffffffffffff', at(7, 'one'))).toBeNull();
    expect(places.add('sc-ffffffffffffffff', at(9, 'two', 'a/log/2'))).toMatchObject({
      origin: 'a/log',
      index: 7,
      sha256: new Uint8Array(sha256('one')),
    });
  });

  it('says nothing about the same statement twice: nothing was changed', () => {
    const places = receiptPlaces('live');
    places.add(liveId(1), at(0, 'one'));
    expect(places.add(liveId(1), at(1, 'one'))).toBeNull();
  });

  it('keeps all of them while it grows', () => {
    const places = receiptPlaces('crawl');
    const ids = Array.from({ length: 5_000 }, (_, n) => (n * 0x100000 + 3).toString(16).padStart(10, '0'));
    for (const [n, id] of ids.entries()) expect(places.add(id, at(n, id))).toBeNull();
    for (const [n, id] of ids.entries()) expect(places.add(id, at(9_999, 'x'))?.index).toBe(n);
  });

  it('passes over ids of the other kind, which name other receipts', () => {
    const places = receiptPlaces('crawl');
    places.add('0000000001', at(0, 'one'));
    expect(places.add(liveId(1), at(1, 'two'))).toBeNull();
  });

  it('refuses more than it can keep, because what is left out would pass for sound', () => {
    const places = receiptPlaces('live', 2);
    for (const n of [1, 2]) places.add(liveId(n), at(n, 'x'));
    expect(() => places.add(liveId(3), at(3, 'x'))).toThrow(LogAway);
  });
});
