import { describe, expect, it } from 'vitest';
import {
  answering,
  type CommandLineParts,
  freeCheck as free,
  PAYMENT_REQUIRED as PAYMENT,
  problem,
  run,
} from '../../../test/support/running/command-line.ts';

type Parts = Partial<CommandLineParts>;

const CHECK = '/v1/products/endpoint-spot-check';
const URL_A = 'https://a.example/data';
const BLOCKED = Response.json(
  { verdict: 'skip', reason: 'ssrf_blocked', detail: 'This URL is not fetched.', code: 'ssrf_blocked' },
  { status: 400 },
);

describe('assay check', () => {
  it.each<[why: string, answer: unknown, code: number, out: RegExp, notes: RegExp]>([
    ['pay', free('pay'), 0, /^✓ PAY\nWords of the service\.\n/, /^$/],
    ['skip', free('skip'), 1, /^✗ SKIP\n/, /^$/],
    ['recheck', free('recheck'), 3, /^↻ RECHECK\n/, /^$/],
    ['a URL that is not fetched', BLOCKED, 1, /^✗ SKIP {2}ssrf_blocked\nThis URL is not fetched\.\n/, /^$/],
    [
      'payment required',
      PAYMENT,
      4,
      /^$/,
      /^assay: payment required: \$0\.012; .*\n {2}any x402 client .* http:\/\/assay\.test\/v1\/products\/.*\n {2}assay check --dry-run /,
    ],
    [
      'invalid arguments',
      problem(400, 'url must\u001b[2J be'),
      2,
      /^$/,
      /^assay: the service answered 400: url must\?\[2J be\n$/,
    ],
    [
      'too often',
      problem(429, 'Too many.', { 'retry-after': '9' }),
      5,
      /^$/,
      /^assay: the service answered 429: Too many\. Try again in 9 s\.\n$/,
    ],
    ['out of order', problem(503, 'Down.'), 5, /^$/, /^assay: the service answered 503: Down\.\n$/],
    [
      'a 400 that says pay',
      Response.json(free('pay'), { status: 400 }),
      2,
      /^$/,
      /^assay: the service answered 400\n$/,
    ],
    ['somebody else', { hello: 1 }, 5, /^$/, /did not answer with a check/],
    ['a verdict that nobody knows', free('maybe'), 5, /^$/, /did not answer with a check/],
  ])('%s', async (_, answer, code, out, notes) => {
    const told = await run(['check', URL_A], answering({ [CHECK]: answer }));
    expect(told.code).toBe(code);
    expect(told.out).toMatch(out);
    expect(told.notes).toMatch(notes);
  });

  it('sends what was typed', async () => {
    const service = answering({ [CHECK]: free('pay') });
    const options = ['--method', 'POST', '--claimed-price', '0.01', '--pay-to', '0xabc', '--network', 'base'];
    await run(['check', URL_A, ...options, '--dry-run', '--server', 'http://other.test'], service);
    expect(service.asked.map(String)).toEqual([
      'http://other.test/v1/products/endpoint-spot-check?url=https%3A%2F%2Fa.example%2Fdata&method=POST&claimed_price=0.01&pay_to=0xabc&network=base&mode=dry-run',
    ]);
  });

  it('reads the receipt from the service that was asked, not from where a link leads', async () => {
    const service = answering({
      [CHECK]: free('skip', { receipt_id: 'sc-00010203fcfdfeff', receipt_url: 'http://10.0.0.1/x' }),
    });
    await run(['check', URL_A], service);
    expect(service.asked.map(({ host, pathname }) => host + pathname)).toEqual([
      `assay.test${CHECK}`,
      'assay.test/v1/receipts/sc-00010203fcfdfeff',
    ]);
    const odd = answering({ [CHECK]: free('skip', { receipt_id: '../../secret' }) });
    await run(['check', URL_A], odd);
    expect(odd.asked).toHaveLength(1);
  });

  it('--json prints the body unchanged, also of a refusal', async () => {
    const text = '{"verdict": "skip",  "reason":"x\u009b",\n"n": 1.10}';
    const fetch = async () => new Response(text);
    expect(await run(['check', URL_A, '--json'], { fetch })).toEqual({
      code: 1,
      out: `${text}\n`,
      notes: '',
    });
    const paid = await run(['check', URL_A, '--json'], answering({ [CHECK]: PAYMENT }));
    expect([paid.code, JSON.parse(paid.out).x402Version]).toEqual([4, 2]);
  });

  it('--json on a terminal is the same JSON, which cannot steer it', async () => {
    const fetch = async () => new Response('{"verdict":"skip","reason":"x\u009b2J\u202e\u{e0041}"}');
    const { out } = await run(['check', URL_A, '--json'], { fetch, terminal: true });
    expect(out).toBe('{"verdict":"skip","reason":"x\\u009b2J\\u202e\\udb40\\udc41"}\n');
    expect(JSON.parse(out).reason).toBe('x\u009b2J\u202e\u{e0041}');
  });

  it('--quiet is one word', async () => {
    const service = answering({ [CHECK]: free('recheck', { receipt_id: 'sc-00010203fcfdfeff' }) });
    expect(await run(['check', URL_A, '--quiet'], { ...service, terminal: true })).toEqual({
      code: 3,
      out: 'recheck\n',
      notes: '',
    });
    expect(service.asked).toHaveLength(1);
  });

  it.each<[why: string, parts: Parts, argv: readonly string[], colours: boolean]>([
    ['on a terminal', { terminal: true }, [], true],
    ['into a pipe', { terminal: false }, [], false],
    ['with NO_COLOR', { terminal: true, colour: 'never' }, [], false],
    ['into a pipe with FORCE_COLOR', { terminal: false, colour: 'always' }, [], true],
    ['with FORCE_COLOR and --no-color', { colour: 'always' }, ['--no-color'], false],
    ['with --no-color', { terminal: true }, ['--no-color'], false],
  ])('colours %s', async (_, parts, argv, colours) => {
    const { out } = await run(['check', URL_A, ...argv], {
      ...answering({ [CHECK]: free('pay') }),
      ...parts,
    });
    expect(out.includes('\u001b[')).toBe(colours);
  });

  it.each<[why: string, argv: readonly string[], line: string]>([
    ['nothing to check', [], 'a URL is needed'],
    ['input beside URLs', [URL_A, '-'], '- cannot be combined with URLs'],
    ['a service beside none', [URL_A, '--local', '--server', 'http://x.test'], '--local uses no service'],
    ['a bad address', [URL_A, '--server', 'x'], 'the service (--server, ASSAY_SERVER) must be an address'],
    ['a bad time', [URL_A, '--timeout', '0'], '--timeout must be a number of seconds above 0, up to 300'],
    [
      'an endless time',
      [URL_A, '--timeout', '301'],
      '--timeout must be a number of seconds above 0, up to 300',
    ],
    ['an unknown option', [URL_A, '--yes'], "unknown option '--yes'"],
  ])('%s is a usage fault: one line and a hint', async (_, argv, line) => {
    const { code, out, notes } = await run(['check', ...argv]);
    expect([code, out]).toEqual([2, '']);
    expect(notes.startsWith(`assay check: ${line}`)).toBe(true);
    expect(notes).toMatch(/^[^\n]*; see assay check --help\n$/);
  });

  it('a service that is away is 5', async () => {
    expect(await run(['check', URL_A])).toEqual({
      code: 5,
      out: '',
      notes: [
        'assay: the service at http://assay.test cannot be reached (ECONNREFUSED)',
        '  name another service with --server or ASSAY_SERVER, or start one with assay serve',
        '  assay check --local checks from this machine, without a service',
        '',
      ].join('\n'),
    });
  });

  it('takes a URL without a scheme for https, and says so', async () => {
    const service = answering({ [CHECK]: free('skip') });
    const { notes } = await run(['check', 'a.example/data?api_key=0123456789abcdef'], service);
    expect(notes).toMatch(
      /^assay: no scheme given; using https:\/\/a\.example\/data\?api_key=(?!0123)\S+\n$/,
    );
    expect(service.asked[0]?.searchParams.get('url')).toBe('https://a.example/data?api_key=0123456789abcdef');
    expect((await run(['check', 'a.example/data', '--quiet'], service)).notes).toBe('');
  });
});
