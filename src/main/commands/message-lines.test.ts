import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { messageLines } from './message-lines.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** What the transport gets, and what the client is told. */
async function pass(...chunks: readonly string[]) {
  const refused: unknown[] = [];
  const lines = messageLines((text) => refused.push(JSON.parse(text)));
  const passed: string[] = [];
  lines.on('data', (line: Buffer) => passed.push(String(line)));
  for (const chunk of chunks) lines.write(chunk);
  await turn();
  return { passed: passed.join(''), refused };
}

describe('the lines of a client on standard input', () => {
  it.each<[why: string, chunks: string[], passed: string]>([
    ['a message', [`${PING}\n`], `${PING}\n`],
    ['two in one chunk', [`${PING}\n${PING}\n`], `${PING}\n${PING}\n`],
    ['one in two chunks', [PING.slice(0, 9), `${PING.slice(9)}\n`], `${PING}\n`],
    ['the ends of lines of Windows', [`${PING}\r\n`], `${PING}\r\n`],
    ['an answer', ['{"jsonrpc":"2.0","id":1,"result":{}}\n'], '{"jsonrpc":"2.0","id":1,"result":{}}\n'],
    ['empty lines', ['\n\r\n \n'], ''],
    ['what has no end yet', [PING], ''],
  ])('are passed on: %s', async (_, chunks, passed) => {
    expect(await pass(...chunks)).toEqual({ passed, refused: [] });
  });

  it.each<[why: string, line: string, code: number, message: string]>([
    ['no JSON', '{', -32_700, 'The line is not valid JSON.'],
    ['a batch', `[${PING}]`, -32_600, 'The line is not one JSON-RPC message.'],
    ['an id of null', PING.replace('1,', 'null,'), -32_600, 'The line is not one JSON-RPC message.'],
    ['an id with a fraction', PING.replace('1,', '1.5,'), -32_600, 'The line is not one JSON-RPC message.'],
    ['too long', `"${'x'.repeat(10_000_000)}"`, -32_600, 'The line has more than 10000000 bytes.'],
  ])('are refused, and the next is passed on: %s', async (_, line, code, message) => {
    expect(await pass(`${line}\n`, `${PING}\n`)).toEqual({
      passed: `${PING}\n`,
      refused: [{ jsonrpc: '2.0', error: { code, message }, id: null }],
    });
  });

  it.each<[why: string, line: string, id: string | number | null]>([
    ['a member twice', PING.replace('}', ',"method":"x"}'), 1],
    ['an id that is text', PING.replace('1,', '"one","method":"x",'), 'one'],
    ['a name twice in an argument', PING.replace('}', ',"params":{"id":2,"id":3}}'), 1],
    ['the id twice', PING.replace('}', ',"id":2}'), null],
    ['the id twice, the same and in another spelling', PING.replace('}', ',"\\u0069d":1}'), null],
    ['a notification, which has none', '{"jsonrpc":"2.0","method":"x","method":"y"}', null],
    // The client may have a request of its own with this id.
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}', null],
  ])('a name twice is refused under the id of its request: %s', async (_, line, id) => {
    const { passed, refused } = await pass(`${line}\n`);
    const error = { code: -32_600, message: 'An object in the message has a name twice.' };
    expect([passed, refused]).toEqual(['', [{ jsonrpc: '2.0', error, id }]]);
  });
});
