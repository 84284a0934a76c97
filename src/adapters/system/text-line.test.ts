import { expect, it } from 'vitest';
import { textLine } from './text-line.ts';

const TIME = 1_794_744_000_000;
const line = (members: object, colour = false) =>
  textLine(`${JSON.stringify({ time: TIME, ...members })}\n`, colour);

const REQUEST = {
  level: 30,
  id: 'a1',
  method: 'GET',
  path: '/v1/lookup',
  status: 200,
  ms: 0.4,
  msg: 'request',
};

it.each<[string, object, string]>([
  ['a request', REQUEST, '2026-11-15T12:00:00Z 200 GET /v1/lookup 0.4ms\n'],
  [
    'a request with facts',
    { ...REQUEST, trace: 'f'.repeat(32), tier: 'free', verdict: 'skip', reason: 'price_mismatch' },
    '2026-11-15T12:00:00Z 200 GET /v1/lookup 0.4ms free skip price_mismatch\n',
  ],
  [
    'a request with a fault, whose id leads to the cause',
    { ...REQUEST, status: 500, code: 'internal_error' },
    '2026-11-15T12:00:00Z 500 GET /v1/lookup 0.4ms internal_error id=a1\n',
  ],
  [
    'a path that would break the line',
    { ...REQUEST, path: '/\u001b[31m\n' },
    '2026-11-15T12:00:00Z 200 GET "/\\u001b[31m\\n" 0.4ms\n',
  ],
  ['a warning', { level: 40, msg: 'no SECRET' }, '2026-11-15T12:00:00Z warn no SECRET\n'],
  [
    'a phase of a crawl',
    { level: 30, phase: 'probing', msg: 'crawl' },
    '2026-11-15T12:00:00Z crawl phase=probing\n',
  ],
  [
    'an event with members',
    { level: 30, port: 0, host: '::', list: [1], contact: 'a b', none: null, msg: 'settings' },
    '2026-11-15T12:00:00Z settings port=0 host=:: list=[1] contact="a b" none=null\n',
  ],
  [
    'a fault whose text would break the line',
    { level: 50, fault: ['Error: a\nb'], id: '\u001b[31m', msg: 'fault' },
    '2026-11-15T12:00:00Z error fault fault=["Error: a\\nb"] id="\\u001b[31m"\n',
  ],
])('%s is one readable line', (_, members, expected) => {
  expect(line(members)).toBe(expected);
});

it.each<[object, string]>([
  [REQUEST, '\u001b[32m200\u001b[0m GET'],
  [{ ...REQUEST, status: 404 }, '\u001b[33m404\u001b[0m GET'],
  [{ ...REQUEST, status: 503 }, '\u001b[31m503\u001b[0m GET'],
  [{ level: 50, msg: 'fault' }, '\u001b[31merror\u001b[0m fault'],
])('colours what matters where that is allowed: %j', (members, part) => {
  expect(line(members, true)).toContain(part);
});
