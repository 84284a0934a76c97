import { describe, expect, it } from 'vitest';
import { LINES_MAX, readTargets, type Target, type TargetLine } from './read-targets.ts';

const OPTIONS: Omit<Target, 'url'> = {
  claimedPrice: '0.01',
  method: null,
  payTo: null,
  network: 'base',
  input: null,
};
const NOTHING: Omit<Target, 'url'> = {
  claimedPrice: null,
  method: null,
  payTo: null,
  network: null,
  input: null,
};

async function read(chunks: readonly string[], options = NOTHING): Promise<TargetLine[]> {
  async function* bytes() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
  }
  const lines: TargetLine[] = [];
  for await (const line of readTargets(bytes(), options)) lines.push(line);
  return lines;
}

describe('lines of standard input', () => {
  it.each<[why: string, chunks: readonly string[], urls: readonly string[]]>([
    [
      'a line each',
      ['https://a.example/\nhttps://b.example/\n'],
      ['https://a.example/', 'https://b.example/'],
    ],
    ['a last line without an end', ['https://a.example/'], ['https://a.example/']],
    ['lines of another system', ['https://a.example/\r\n'], ['https://a.example/']],
    ['empty lines', ['\n \n\nhttps://a.example/\n\t\n'], ['https://a.example/']],
    [
      'a line in pieces',
      ['https://a', '.example/\nhttps', '://b.example/'],
      ['https://a.example/', 'https://b.example/'],
    ],
    ['a mark in front', ['\ufeffhttps://a.example/\n'], ['https://a.example/']],
    ['nothing', [], []],
  ])('%s', async (_, chunks, urls) => {
    expect(await read(chunks)).toEqual(urls.map((url) => ({ kind: 'target', target: { ...NOTHING, url } })));
  });

  it('can be JSON, and say more than the options', async () => {
    const lines = [
      '{"url":"https://a.example/"}',
      '{"url":"https://b.example/","claimed_price":0.0000001,"method":"POST","pay_to":"0x1","network":"solana","input":{"q":1}}',
      '{"url":"https://c.example/","claimed_price":"0.5","network":null}',
    ];
    expect(await read([lines.join('\n')], OPTIONS)).toEqual([
      { kind: 'target', target: { ...OPTIONS, url: 'https://a.example/' } },
      {
        kind: 'target',
        target: {
          url: 'https://b.example/',
          claimedPrice: '0',
          method: 'POST',
          payTo: '0x1',
          network: 'solana',
          input: { q: 1 },
        },
      },
      { kind: 'target', target: { ...OPTIONS, url: 'https://c.example/', claimedPrice: '0.5' } },
    ]);
  });

  it.each<[why: string, line: string, problem: string]>([
    [
      'a misspelled member, which must not be taken for none',
      '{"url":"https://a.example/","payTo":"0x1"}',
      'line 1: has an unknown member; known are url, claimed_price, method, pay_to, network, input',
    ],
    ['JSON that is none', '{"url":', 'line 1: is neither a URL nor a JSON object'],
    ['no URL', '{"uri":"https://a.example/"}', 'line 1: url must be a string'],
    ['a URL that is none', '{"url":7}', 'line 1: url must be a string'],
    [
      'a price that is none',
      '{"url":"x","claimed_price":[]}',
      'line 1: claimed_price must be a decimal such as 0.01',
    ],
    ['a method that is none', '{"url":"x","method":1}', 'line 1: method must be a string'],
    ['a line that is too long', 'x'.repeat(16_385), 'line 1: is longer than 16384 bytes'],
  ])('%s is said with its number', async (_, line, problem) => {
    expect(await read([`${line}\nhttps://b.example/`])).toEqual([
      { kind: 'invalid', problem },
      { kind: 'target', target: { ...NOTHING, url: 'https://b.example/' } },
    ]);
  });

  it('lets go of a line without an end as it comes', async () => {
    const before = process.memoryUsage().arrayBuffers;
    async function* endless() {
      for (let at = 0; at < 2_000; at += 1) yield new Uint8Array(65_536).fill(120);
    }
    const lines: TargetLine[] = [];
    for await (const line of readTargets(endless(), NOTHING)) lines.push(line);
    expect(lines).toEqual([{ kind: 'invalid', problem: 'line 1: is longer than 16384 bytes' }]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  });

  it('are at most so many', async () => {
    const lines = await read(['https://a.example/\n'.repeat(LINES_MAX + 5)]);
    expect(lines).toHaveLength(LINES_MAX + 1);
    expect(lines.at(-1)).toEqual({ kind: 'invalid', problem: 'line 10001: at most 10000 lines are checked' });
  });
});
