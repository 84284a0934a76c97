import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../test/support/canonical.ts';
import {
  any,
  checked,
  crawledOf,
  OUTCOMES,
  receiptOf,
  unclaimed,
} from '../../../test/support/random-checks.ts';
import { sized } from '../../../test/support/sized.ts';
import { readStatement } from './read-statement.ts';
import { statedCrawl, statementOfCrawl } from './stated-crawl.ts';
import { statedLive, statementOfLive } from './stated-live.ts';

const mode = any<'live' | 'dry-run'>('live', 'dry-run');
const RUNS = { numRuns: sized(500, 5_000), examples: OUTCOMES.map((probed) => unclaimed(probed)) };

describe('the statement of a random live receipt', () => {
  it('is in canonical form, and says all that the receipt says', () => {
    fc.assert(
      fc.property(checked, fc.boolean(), mode, (check, flag, mode) => {
        const receipt = receiptOf(check, flag, mode);
        const text = statementOfLive(receipt) ?? '';
        expect(canonical(JSON.parse(text))).toBe(text);
        const statement = readStatement(text);
        if (statement?.kind !== 'live') throw new Error('the statement should be readable');
        const again = statedLive(statement);
        expect(again).toEqual(receipt);
        expect(again === null ? null : statementOfLive(again)).toBe(text);
      }),
      RUNS,
    );
  });

  it('of a crawl, too, and has nothing in it that is not public', () => {
    fc.assert(
      fc.property(checked, fc.boolean(), (check, flag) => {
        const { listings: _, listedInput: __, ...receipt } = crawledOf(check, flag);
        const text = statementOfCrawl(crawledOf(check, flag)) ?? '';
        expect(canonical(JSON.parse(text))).toBe(text);
        const statement = readStatement(text);
        if (statement?.kind !== 'crawl') throw new Error('the statement should be readable');
        const again = statedCrawl(statement);
        expect(again).toEqual(receipt);
        expect(again === null ? null : statementOfCrawl(again)).toBe(text);
      }),
      { numRuns: RUNS.numRuns },
    );
  });

  it('with any byte changed is another statement or none, and nothing is thrown', () => {
    fc.assert(
      fc.property(checked, fc.nat(), fc.nat({ max: 127 }), (check, place, code) => {
        const text = statementOfLive(receiptOf(check, true, 'live')) ?? '';
        const at = place % text.length;
        const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        const read = readStatement(changed);
        if (read === null || changed === text) return;
        expect(read).not.toEqual(readStatement(text));
      }),
      { numRuns: sized(1_000, 20_000) },
    );
  });

  it('is refused as any other JSON without a throw', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(readStatement(text)).toBeNull();
      }),
    );
  });
});
