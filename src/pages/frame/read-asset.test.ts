import { describe, expect, it } from 'vitest';
import { readStylesheet } from './read-asset.ts';

/** The variables of a theme, light or dark, by name. */
function theme(dark: boolean): ReadonlyMap<string, string> {
  const [light = '', night = ''] = String(readStylesheet()).split('@media (prefers-color-scheme: dark)');
  const colours = (text: string) =>
    [...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
  return new Map([...colours(light), ...(dark ? colours(night) : [])]);
}

/** Contrast as WCAG 2 defines it. */
function contrast(left: string, right: string): number {
  const [light = 0, dark = 0] = [luminance(left), luminance(right)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const GROUNDS = ['paper', 'panel'];
const TEXTS: [text: string, grounds: readonly string[]][] = [
  ['ink', [...GROUNDS, 'pay-soft', 'skip-soft', 'recheck-soft', 'aside-soft', 'accent-soft']],
  ['faint', [...GROUNDS, 'pay-soft', 'skip-soft', 'recheck-soft', 'aside-soft', 'accent-soft']],
  ['accent', [...GROUNDS, 'pay-soft', 'skip-soft', 'recheck-soft', 'aside-soft', 'accent-soft']],
  ['on-accent', ['accent']],
  ['pay', [...GROUNDS, 'pay-soft']],
  ['skip', [...GROUNDS, 'skip-soft']],
  ['recheck', [...GROUNDS, 'recheck-soft']],
  ['aside', [...GROUNDS, 'aside-soft']],
];

describe.each([
  ['light', false],
  ['dark', true],
])('colours in the %s theme', (_, dark) => {
  const colours = theme(dark);

  it.each(TEXTS)('%s can be read on every ground it stands on', (text, grounds) => {
    for (const ground of grounds) {
      const ratio = contrast(colours.get(text) ?? '', colours.get(ground) ?? '');
      expect([ground, ratio >= 4.5]).toEqual([ground, true]);
    }
  });
});
