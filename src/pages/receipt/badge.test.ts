import { describe, expect, it } from 'vitest';
import { type BadgeWord, badge } from './badge.ts';

const GREY = '#55606e';

describe('the badge', () => {
  it.each<[BadgeWord, string | null, ground: string, width: string]>([
    ['pay', '2026-11-15', '#0a6b3b', '195'],
    ['skip', '2026-11-15', '#b3261e', '197'],
    ['recheck', '2026-11-15', '#7a5200', '219'],
    ['needs input', '2026-11-15', GREY, '241'],
    ['unknown', null, GREY, '147'],
    ['not a URL', null, GREY, '149'],
    ['not a method', null, GREY, '171'],
  ])(
    '%s %s: its colour, a shape, and each text in its place whatever the font',
    async (word, day, ground, width) => {
      const drawn = await badge(word, day);
      expect(drawn).toContain(`fill="${ground}"`);
      expect(/<svg [^>]* width="(\d+)"/.exec(drawn)?.[1]).toBe(width);
      const texts = [...drawn.matchAll(/<text x="(\d+)" y="14" textLength="(\d+)"/g)];
      const ends = texts.map(([, x, length]) => Number(x) + Number(length));
      // The name ends before the verdict begins, and the verdict before the edge.
      expect(ends).toEqual([56, Number(width) - 8]);
      expect(drawn.match(/<path /g)).toHaveLength(5);
    },
  );
});
