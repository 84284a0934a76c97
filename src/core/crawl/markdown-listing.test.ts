import { describe, expect, it } from 'vitest';
import { readMarkdownLine } from './markdown-listing.ts';

const LINK = '[Name](https://a.example.com/api/x)';

describe('a line of a README', () => {
  it.each<[why: string, line: string, url: string, price: bigint, method?: string]>([
    ['a price in dollars', `- ${LINK} - $0.002 per call`, 'https://a.example.com/api/x', 2_000n],
    ['a price in USDC', `* ${LINK}: 0.02 USDC per query.`, 'https://a.example.com/api/x', 20_000n],
    ['a price at the end of a sentence', `+ ${LINK} costs $1.`, 'https://a.example.com/api/x', 1_000_000n],
    [
      'an endpoint in the prose',
      '- [Name](https://a.example.com) - `POST https://a.example.com/v2/x`, $1',
      'https://a.example.com/v2/x',
      1_000_000n,
      'POST',
    ],
    [
      'the same endpoint twice',
      `- ${LINK} https://a.example.com/api/x/ $1`,
      'https://a.example.com/api/x/',
      1_000_000n,
    ],
    [
      'documents beside it',
      `- ${LINK} $1 https://docs.example.com/api/x https://a.example.com/api/docs/x https://github.com/a/api/x`,
      'https://a.example.com/api/x',
      1_000_000n,
    ],
    [
      'a digit in the URL is no price',
      '- [N](https://a.example.com/v1/$5) $1',
      'https://a.example.com/v1/$5',
      1_000_000n,
    ],
  ])('counts with %s', (_, line, url, price, method = 'GET') => {
    expect(readMarkdownLine(line, 'a-list')).toEqual({
      endpoints: [
        expect.objectContaining({
          target: expect.objectContaining({ href: url }),
          method,
          claim: { price, payTo: null, network: null },
        }),
      ],
      faults: [],
    });
  });

  it.each<[why: string, line: string]>([
    ['a home page', '- [Name](https://a.example.com) $1'],
    ['two endpoints', `- ${LINK} https://b.example.com/api/x $1`],
    ['no price', `- ${LINK} - ask us`],
    ['two prices', `- ${LINK} $1 or $2`],
    ['a range', `- ${LINK} $0.01-0.05`],
    ['a range with a long dash', `- ${LINK} $0.01 – $0.05`],
    ['a lowest price', `- ${LINK} from $0.01`],
    ['a highest price', `- ${LINK} up to $5`],
    ['a price of zero', `- ${LINK} $0`],
    ['a price that is none', `- ${LINK} $1.2.3`],
    ['a password in the URL', '- [Name](https://user:secret@a.example.com/api/x) $1'],
    ['code', '- [Name](https://github.com/a/b/api/v1/x) $1'],
  ])('is left out with %s', (_, line) => {
    expect(readMarkdownLine(line, 'a-list')).toEqual({ endpoints: [], faults: ['no_url'] });
  });

  it.each<[why: string, line: string]>([
    ['a heading', '## [Name](https://a.example.com/api/x) $1'],
    ['prose', `See ${LINK}, $1`],
    ['a bullet without a link', '- https://a.example.com/api/x $1'],
    ['a table', `| ${LINK} | $1 |`],
    ['nothing', ''],
  ])('is no entry when it is %s', (_, line) => {
    expect(readMarkdownLine(line, 'a-list')).toBeNull();
  });

  it.each<[why: string, line: string]>([
    ['opening brackets', `- ${'['.repeat(16_000)}`],
    ['prices', `- ${LINK} ${'$1 '.repeat(5_000)}`],
    ['digits', `- ${LINK} ${'1'.repeat(16_000)}`],
    ['URLs', `- ${LINK} ${'https://a.example.com/api/x '.repeat(500)}`],
    ['slashes', `- [a](https://a.example.com/${'/'.repeat(15_000)}) $1`],
    ['dots', `- ${LINK} $1${'.'.repeat(15_000)}`],
  ])('is read quickly when it is full of %s', (_, line) => {
    // Processor time: a busy machine does not count.
    const started = process.cpuUsage();
    readMarkdownLine(line, 'a-list');
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});
