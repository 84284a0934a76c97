import { describe, expect, it } from 'vitest';
import { createChance } from '../../lab/chaos/chance.ts';
import { type Buyer, buy, type Signed } from '../../lab/world/buyers.ts';
import type { Answer, Ask } from '../../lab/world/callers.ts';

const PAID = '{"access":{"tier":"paid","charged_usd":"0.02"}}';
const UNCHARGED = '{"access":{"tier":"paid","charged_usd":"0"}}';
const FREE = '{"access":{"tier":"free"}}';

function answer(status: number, text = '{}'): Answer {
  return { status, text, from: 'http://127.0.0.1', header: () => null };
}

/** Answers by turns; null is a connection that breaks. Says which payment came with each question. */
function scripted(answers: readonly (Answer | null)[]) {
  const payments: string[] = [];
  const left = [...answers];
  const ask: Ask = async (_path, sent) => {
    payments.push(sent?.headers?.['payment-signature'] ?? 'none');
    const next = left.shift() ?? null;
    if (next === null) throw new Error('the connection broke');
    return next;
  };
  return { ask, payments };
}

function countingBuyer(): Buyer {
  let count = 0;
  return {
    address: '0x01',
    async sign(): Promise<Signed> {
      count += 1;
      return {
        header: `p${count}`,
        nonce: `n${count}`,
        payer: '0x01',
        offered: 1n,
        value: 1n,
        payTo: '0x02',
      };
    },
  };
}

describe('a client that keeps to the rules', () => {
  it.each<[string, readonly (Answer | null)[], string, readonly string[]]>([
    ['pays once', [answer(402), answer(200, PAID)], 'paid', ['none', 'p1']],
    ['does not pay for what is free', [answer(200, FREE)], 'unpaid', ['none']],
    [
      'asks again for the price',
      [null, answer(503), answer(402), answer(200, PAID)],
      'paid',
      ['none', 'none', 'none', 'p1'],
    ],
    [
      'sends the same payment after silence',
      [answer(402), null, answer(200, PAID)],
      'paid',
      ['none', 'p1', 'p1'],
    ],
    ['and after a 503', [answer(402), answer(503), answer(200, PAID)], 'paid', ['none', 'p1', 'p1']],
    ['and after a 409', [answer(402), answer(409), answer(200, PAID)], 'paid', ['none', 'p1', 'p1']],
    ['signs anew after a 402', [answer(402), answer(402), answer(200, PAID)], 'paid', ['none', 'p1', 'p2']],
    [
      'never signs anew after silence, however it goes on',
      [answer(402), null, answer(402), answer(200, PAID)],
      'paid',
      ['none', 'p1', 'p1', 'p2'],
    ],
    ['stops at a 400', [answer(402), answer(400)], 'not_charged', ['none', 'p1']],
    ['stops at a limit', [answer(402), answer(429)], 'not_charged', ['none', 'p1']],
    [
      'knows an answer that cost nothing',
      [answer(402), answer(200, UNCHARGED)],
      'not_charged',
      ['none', 'p1'],
    ],
    [
      'knows one that was free after all',
      [answer(402), null, answer(200, FREE)],
      'not_charged',
      ['none', 'p1', 'p1'],
    ],
    [
      'gives up after four refusals',
      Array.from({ length: 6 }, () => answer(402)),
      'not_charged',
      ['none', 'p1', 'p2', 'p3', 'p4'],
    ],
    ['leaves a payment open when its patience is over', [answer(402)], 'open', ['none', 'p1', 'p1']],
  ])('%s', async (_, answers, kind, sent) => {
    const { ask, payments } = scripted(answers);
    const patienceMs = kind === 'open' ? 250 : 10_000;
    const bought = await buy({ ask, path: '/', buyer: countingBuyer(), patienceMs });
    expect([bought.kind, payments]).toEqual([kind, sent]);
  });
});

describe('chance', () => {
  it('is the same for the same seed, and another one for another', () => {
    const numbers = (seed: number) => Array.from({ length: 4 }, () => createChance(seed).between(0, 1_000));
    expect(numbers(7)).toEqual(numbers(7));
    expect(createChance(7).share()).not.toBe(createChance(8).share());
    expect(createChance(7).split('a').share()).not.toBe(createChance(7).split('b').share());
  });

  it('keeps within its bounds', () => {
    const chance = createChance(1);
    const drawn = Array.from({ length: 500 }, () => chance.between(2, 5));
    expect([...new Set(drawn)].toSorted()).toEqual([2, 3, 4]);
  });
});
