import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { bodyOnly, ENTRY } from '../../tools/samples/challenge.ts';

/** Bodies of the given size, each made to be slow for one way of reading. */
export function hostileBodies(bytes: number): { name: string; answer: ProbeAnswer }[] {
  const filled = (head: string, unit: string, tail: string) =>
    head + unit.repeat(Math.floor((bytes - head.length - tail.length) / unit.length)) + tail;
  const entry = JSON.stringify(ENTRY);
  const bodies: [string, string][] = [
    ['256 kB of entries', filled(`{"accepts":[${entry}`, `,${entry}`, ']}')],
    ['256 kB of open brackets', filled('{"accepts":', '[', '')],
    ['256 kB of nesting', `{"accepts":${'['.repeat(bytes / 2 - 8)}${']'.repeat(bytes / 2 - 8)}}`],
    ['256 kB of escapes in one string', filled('{"accepts":[],"a":"', '\\"', '"}')],
    ['256 kB of tiny keys', filled('{"accepts":[],"x":{"a":0', ',"a":0', '}}')],
    ['256 kB of money keys in own objects', filled('{"accepts":[{"payTo":0}', ',{"payTo":0}', ']}')],
    ['256 kB of escaped keys', filled('{"accepts":[],"x":{"a":0', ',"\\u0061":0', '}}')],
    ['256 kB of digits', filled('{"accepts":[{"amount":"', '9', '"}]}')],
    ['256 kB of blanks', filled('{"accepts":', ' ', '[]}')],
    ['256 kB of empty objects', filled('{"accepts":[{}', ',{}', ']}')],
    ['256 kB of open quotes', filled('{"accepts":[]', '"', '')],
  ];
  return bodies.map(([name, body]) => ({ name, answer: bodyOnly(body) }));
}
