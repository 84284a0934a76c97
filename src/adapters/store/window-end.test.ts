import { expect, it } from 'vitest';
import { windowEnd } from './window-end.ts';

it.each([
  ['a day', '2026-11-15', '2026-11-16T00:00:00.000Z'],
  ['the last day of a year', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['an hour', '2026-11-15T12', '2026-11-15T13:00:00.000Z'],
  ['the last hour of a day', '2026-11-15T23', '2026-11-16T00:00:00.000Z'],
  ['a minute', '2026-11-15T12:34', '2026-11-15T12:35:00.000Z'],
  ['the last minute of a day', '2026-11-15T23:59', '2026-11-16T00:00:00.000Z'],
])('%s ends when the next one begins, in UTC', (_, window, end) => {
  expect(new Date(windowEnd(window)).toISOString()).toBe(end);
});

it.each([
  '',
  'today',
  '2026-11',
  '2026-13-01',
  '2026-11-15T24',
  '2026-11-15T1',
  '2026-11-15T12:60',
  '2026-11-15T12:30:00',
  '2026-11-15\n',
])('there is no window %j', (window) => {
  expect(() => windowEnd(window)).toThrow('not a counter window');
});
