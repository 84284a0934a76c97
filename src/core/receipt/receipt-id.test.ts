import { describe, expect, it } from 'vitest';
import { crawlReceiptId, liveReceiptId, receiptKind } from './receipt-id.ts';

describe('receipt ids', () => {
  it('of a live receipt are sc- and sixteen digits', () => {
    expect(liveReceiptId(Uint8Array.of(0, 1, 2, 3, 0xfc, 0xfd, 0xfe, 0xff))).toBe('sc-00010203fcfdfeff');
    expect(() => liveReceiptId(new Uint8Array(7))).toThrow('8 random bytes');
  });

  it('of a crawl receipt are ten digits of a hash over run and URL (G54)', () => {
    // printf 'run-1\nhttps://a.example/x' | sha256sum
    expect(crawlReceiptId('run-1', 'https://a.example/x')).toBe('95e6d5e672');
    expect(crawlReceiptId('run-1', 'https://a.example/x', 1)).toBe('892087eee6');
    expect(crawlReceiptId('run-2', 'https://a.example/x')).not.toBe('95e6d5e672');
  });

  it.each<[string, string | null]>([
    ['sc-00010203fcfdfeff', 'live'],
    ['0123456789', 'crawl'],
    ['abcdef0123', 'crawl'],
    ['sc-00010203FCFDFEFF', null],
    ['sc-00010203fcfdfef', null],
    ['sc-00010203fcfdfeff0', null],
    ['012345678', null],
    ['01234567890', null],
    ['sc-../../../../etc', null],
    ['0123456789\n', null],
    ['', null],
  ])('%j names %s', (id, kind) => {
    expect(receiptKind(id)).toBe(kind);
  });
});
