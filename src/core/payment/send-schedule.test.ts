import { describe, expect, it } from 'vitest';
import { nextSend, type Sends } from './send-schedule.ts';

const at = (ms: number) => new Date(ms);

describe('the transactions that we pay for one payment (gap L90)', () => {
  it('are at most five, each after twice the pause of the one before', () => {
    const sent: number[] = [];
    let sends: Sends = { count: 0, notBefore: 0 };
    for (let ms = 0; ms < 600_000; ms += 1_000) {
      const next = nextSend(sends, at(ms));
      if (next === null) continue;
      sent.push(ms);
      sends = next;
    }
    expect(sent).toEqual([0, 5_000, 15_000, 35_000, 75_000]);
  });

  it.each<[why: string, sends: Sends, ms: number]>([
    ['a millisecond too early', { count: 1, notBefore: 5_000 }, 4_999],
    ['when none is left, however long ago', { count: 5, notBefore: 0 }, 9_999_999],
  ])('are refused %s', (_, sends, ms) => {
    expect(nextSend(sends, at(ms))).toBeNull();
  });
});
