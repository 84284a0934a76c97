import { describe, expect, it } from 'vitest';
import { mayReplay, type Presented, replayCounter } from './replay.ts';

const [BUYER, OTHER, STRANGER] = ['buyer', 'other', 'stranger'];
const UNDELIVERED: Presented = { claimedFrom: BUYER, deliveredTo: null };
const DELIVERED: Presented = { claimedFrom: BUYER, deliveredTo: OTHER };
const ID = 'order_0123456789';

describe('who gets a bought answer again (gap G97)', () => {
  it.each<[why: string, presented: Presented, from: string, identifier: string | null, may: boolean]>([
    [
      'anyone before the first delivery: the buyer may have lost the answer',
      UNDELIVERED,
      STRANGER,
      null,
      true,
    ],
    ['the network that got it', DELIVERED, OTHER, null, true],
    ['the network that paid, even if another one got it first', DELIVERED, BUYER, null, true],
    ['whoever knows the identifier, which is not on the chain', DELIVERED, STRANGER, ID, true],
    ['nobody else', DELIVERED, STRANGER, null, false],
    ['nobody else, where it is not known who paid', { ...DELIVERED, claimedFrom: null }, BUYER, null, false],
  ])('%s', (_, presented, from, identifier, may) => {
    expect(mayReplay(presented, { from, identifier })).toBe(may);
  });

  it('ten times an hour for one payment', () => {
    const counter = replayCounter('eip155:8453|0xusdc|0xpayer|0x01', new Date('2026-11-15T12:59:59.999Z'));
    expect(counter).toEqual({
      key: expect.stringMatching(/^replay:[0-9a-f]{64}$/),
      window: '2026-11-15T12',
      limit: 10,
    });
  });
});
