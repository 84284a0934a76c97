import { expect, it } from 'vitest';
import { textLine } from './text-line.ts';

const TIME = 1_794_744_000_000;

it.each<[string, object, string]>([
  [
    'a request',
    {
      level: 30,
      id: 'a1',
      method: 'GET',
      route: '/v1/lookup',
      tier: 'free',
      status: 200,
      ms: 0.4,
      msg: 'request',
    },
    '2026-11-15T12:00:00.000Z GET /v1/lookup 200 0.4ms id=a1 tier=free\n',
  ],
  ['an event', { level: 40, msg: 'no SECRET' }, '2026-11-15T12:00:00.000Z warn no SECRET\n'],
  [
    'an event with members',
    { level: 30, port: 0, host: '::', list: [1], contact: 'a b', none: null, msg: 'settings' },
    '2026-11-15T12:00:00.000Z info settings port=0 host=:: list=[1] contact="a b" none=null\n',
  ],
  [
    'a fault whose text would break the line',
    { level: 50, fault: ['Error: a\nb'], id: '\u001b[31m', msg: 'fault' },
    '2026-11-15T12:00:00.000Z error fault fault=["Error: a\\nb"] id="\\u001b[31m"\n',
  ],
])('%s is one readable line', (_, members, line) => {
  expect(textLine(`${JSON.stringify({ time: TIME, ...members })}\n`)).toBe(line);
});
