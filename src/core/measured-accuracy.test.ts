import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MEASURED_ACCURACY } from './measured-accuracy.ts';

const document = readFileSync(new URL('../../docs/accuracy.md', import.meta.url), 'utf8');

it.each([
  ['falsePay', 'false pay: a dishonest seller is paid'],
  ['falseSkip', 'false skip: an honest seller is skipped'],
  ['honestPaid', 'an honest seller is paid'],
] as const)('%s is what the calibration wrote down', (name, words) => {
  const { count, of } = MEASURED_ACCURACY[name];
  expect(document).toContain(`| ${words} | ${count} of ${of} (`);
});
