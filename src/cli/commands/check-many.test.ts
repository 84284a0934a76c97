import { describe, expect, it } from 'vitest';
import {
  commandLine,
  freeCheck as free,
  PAYMENT_REQUIRED as PAYMENT,
  problem,
  run,
} from '../../../test/support/running/command-line.ts';

describe('assay check of many', () => {
  /** Answers by the path of the URL that is checked. */
  const byPath: typeof fetch = async (url) => {
    const checked = new URL(new URL(String(url)).searchParams.get('url') ?? '');
    const word = checked.pathname.slice(1);
    if (word === 'paid') return PAYMENT.clone();
    return word === 'away' ? problem(503, 'Down.') : Response.json(free(word));
  };
  const url = (word: string) => `https://a.example/${word}`;

  it.each<[words: readonly string[], code: number]>([
    [['pay', 'pay'], 0],
    [['pay', 'recheck'], 3],
    [['recheck', 'skip', 'pay'], 1],
    [['skip', 'paid'], 4],
    [['paid', 'away', 'skip'], 5],
  ])('%j is one exit code', async (words, code) => {
    const told = await run(['check', ...words.map(url)], { fetch: byPath });
    expect(told.code).toBe(code);
    expect(told.out.split('\n')).toHaveLength(words.length + 1);
  });

  it('of standard input, a line for a line, with what is wrong in its place', async () => {
    const input = [`${url('skip')}\n{"url"`, `:"${url('pay')}"}\n\n{"url":1}\n${url('paid')}\n`];
    const told = await run(['check'], { fetch: byPath, input, columns: 100 });
    expect(told.code).toBe(2);
    expect(told.out.split('\n')).toEqual([
      '✗ skip     https://a.example/skip  Words of the service.',
      '✓ pay      https://a.example/pay  Words of the service.',
      '- error    line 4: url must be a string',
      '- payment  https://a.example/paid  payment required: $0.012',
      '',
    ]);
    expect(told.notes).toBe('assay: 1 skip, 1 pay, 1 error, 1 payment of 4\n');
  });

  it('with --json is one body a line, whatever the service does with its lines', async () => {
    const input = [`${url('skip')}\n{"url":1}\n${url('away')}\n`];
    const pretty: typeof fetch = async (address) => {
      const answer = await byPath(address);
      return new Response(JSON.stringify(await answer.json(), null, 2), { status: answer.status });
    };
    const { out, code } = await run(['check', '-', '--json'], { fetch: pretty, input });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { url: url('skip'), verdict: 'skip' },
      { url: null, error: 'line 2: url must be a string', code: 'bad_request' },
      { url: url('away'), status: 503, detail: 'Down.' },
    ]);
    expect(code).toBe(2);
  });

  it('takes lines without a scheme for https', async () => {
    const { out } = await run(['check', '--json'], {
      fetch: byPath,
      input: ['a.example/skip\n{"url":"a.example/pay"}'],
    });
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).url),
    ).toEqual([url('skip'), url('pay')]);
  });

  it('with nobody there says so in every line', async () => {
    const { out, code } = await run(['check', url('a'), url('b'), '--json']);
    expect(code).toBe(5);
    const error = 'the service at http://assay.test cannot be reached (ECONNREFUSED)';
    const lines = ['a', 'b'].map((word) => ({ url: url(word), error, code: 'service_unreachable' }));
    expect(out).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });

  it('asks for at most four at once', async () => {
    const under = { way: 0, most: 0 };
    const fetch: typeof globalThis.fetch = async () => {
      under.way += 1;
      under.most = Math.max(under.most, under.way);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under.way -= 1;
      return Response.json(free('pay'));
    };
    await run(['check', ...Array.from({ length: 12 }, (_, at) => url(String(at)))], { fetch });
    expect(under.most).toBe(4);
  });

  it('shows a bar on a terminal, and writes results between', async () => {
    const told = await run(['check', url('pay'), url('skip')], {
      fetch: byPath,
      terminal: true,
      colour: 'never',
    });
    expect(told.notes).toContain('\r\u001b[2K[############------------]  1/2  1 pay');
    expect(told.notes.endsWith('\r\u001b[2Kassay: 1 pay, 1 skip of 2\n')).toBe(true);
    expect((await run(['check', url('pay'), url('skip')], { fetch: byPath })).notes).not.toContain('[#');
  });

  it('stopped by Ctrl-C begins nothing new', async () => {
    const asked: string[] = [];
    const line = commandLine({
      fetch: (address, init) =>
        new Promise((_, reject) => {
          asked.push(String(address));
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          if (asked.length === 4) setTimeout(line.stop);
        }),
    });
    const words = Array.from({ length: 50 }, (_, at) => url(String(at)));
    expect(await line.run('check', words)).toBe(130);
    expect([asked.length, line.out()]).toEqual([4, '']);
  });

  it('stopped by Ctrl-C says how many of all were checked', async () => {
    const line = commandLine({
      fetch: (address, init) => {
        if (String(address).includes('pay')) return byPath(address);
        return new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    });
    const stopAfterFirst = () => void (line.out() === '' ? setTimeout(stopAfterFirst) : line.stop());
    stopAfterFirst();
    expect(await line.run('check', [url('pay'), url('0'), url('1')])).toBe(130);
    expect(line.notes()).toBe('assay: 1 pay of 3\n');
  });

  it('of nothing is invalid', async () => {
    expect(await run(['check'], { input: ['\n\n'] })).toEqual({
      code: 2,
      out: '',
      notes: 'assay: nothing to check\n',
    });
  });
});
