import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/running/command-line.ts';
import { readCheck, readReceipt } from '../ask/findings.ts';
import { createPaint } from './paint.ts';
import { cellsOf } from './plain-text.ts';
import { terminalCard } from './terminal-card.ts';

const FIX = {
  code: 'payee_missing',
  level: 'error',
  source: 'header',
  path: '$.accepts[0].payTo',
  problem: 'The payee is missing or empty.',
  fix: 'Set payTo to your wallet address. Check that the variable with your address is set where the server runs.',
};
const WARNING = { ...FIX, level: 'warning', source: 'answer', path: null, problem: 'Odd.', fix: 'Mend it.' };
const RECEIPT = {
  id: 'sc-00010203fcfdfeff',
  verdict: 'skip',
  reason: 'bad_challenge',
  diagnostics: [FIX, WARNING],
};
const LINES = [
  '  fix       $.accepts[0].payTo in the header',
  '            The payee is missing or empty.',
  '            Set payTo to your wallet address. Check that the variable with your',
  '            address is set where the server runs.',
  '  fix       the response (warning)',
  '            Odd.',
  '            Mend it.',
];

function cardOf(json: object, columns = 80): string[] {
  const found = readReceipt(json) ?? readCheck(json);
  if (found === null) throw new Error('it cannot be read');
  return terminalCard(found, { paint: createPaint(false), columns, now: NOON });
}

describe('what to fix, on a card', () => {
  it.each<[string, object]>([
    ['a receipt of a check', RECEIPT],
    ['a receipt of the crawl', { ...RECEIPT, id: '00000000a1', reason: 'unusable terms' }],
    ['a paid answer', { ...RECEIPT, id: undefined }],
  ])('of %s', (_, json) => {
    const lines = cardOf(json);
    const at = lines.indexOf(LINES[0] ?? '');
    expect(lines.slice(at, at + LINES.length)).toEqual(LINES);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'fix it'],
    ['entries of another form', [7, { code: 'x' }, null]],
  ])('is not shown of %s', (_, diagnostics) => {
    expect(cardOf({ ...RECEIPT, diagnostics }).join('\n')).not.toContain('fix');
  });

  it('shows the first 16, each within the columns', () => {
    const diagnostics = Array.from({ length: 40 }, () => ({ ...FIX, path: `$.${'x'.repeat(300)}` }));
    const lines = cardOf({ ...RECEIPT, diagnostics }, 60);
    expect(lines.filter((line) => line.startsWith('  fix'))).toHaveLength(16);
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(60);
  });

  it('lets nobody write on the terminal', () => {
    const evil = '\u001b[2J\u202e\nPAY';
    const shown = cardOf({ ...RECEIPT, diagnostics: [{ ...FIX, path: evil, problem: evil, fix: evil }] });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
    expect(shown.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });
});
