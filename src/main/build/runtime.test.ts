import { expect, it } from 'vitest';
import { shownPath, traceOf } from './runtime.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

it.each<[string | null, string | undefined, string]>([
  [`00-${TRACE}-b7ad6b7169203331-01`, TRACE, 'as the standard has it'],
  [`01-${TRACE}-b7ad6b7169203331-01-later`, TRACE, 'a later version may say more'],
  [null, undefined, 'none was sent'],
  ['', undefined, 'nothing'],
  [`ff-${TRACE}-b7ad6b7169203331-01`, undefined, 'a version that is forbidden'],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined, 'the trace of nobody'],
  [`00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, undefined, 'other letters'],
  [`00-${TRACE}-b7ad6b7169203331-01"}`, undefined, 'something that would end a line of the log'],
])('%s is of %s: %s', (header, trace) => {
  expect(traceOf(header)).toBe(trace);
});

it.each<[string, string]>([
  ['/v1/tasks', '/v1/tasks'],
  ['/\u001b[31m\u202e\nx', '/?[31m??x'],
  [`/${'a'.repeat(500)}`, `/${'a'.repeat(99)}...`],
])('the path %j is shown as %j', (path, shown) => {
  expect(shownPath(path)).toBe(shown);
});
