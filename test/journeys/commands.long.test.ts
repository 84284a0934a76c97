import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';

/** The built program; `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-commands-'));
const KEY = `0x${'ab'.repeat(32)}`;

afterAll(() => rmSync(folder, { recursive: true }));

function assay(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, ...settings },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, stdout, stderr };
}

describe('the commands of the program', () => {
  it.each([[['help']], [['--help']], [[]]])('%j lists them all', (words) => {
    const { status, stdout, stderr } = assay(words);
    expect([status, stderr]).toEqual([0, '']);
    const commands = [
      ...['check', 'lookup', 'receipt', 'skips', 'tasks', 'completion'],
      ...['serve', 'verify', 'crawl', 'crawl-worker', 'report', 'migrate', 'sandbox'],
    ];
    for (const command of commands) {
      expect(stdout).toContain(`  ${command} `);
    }
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ['verify with an unknown option', ['verify', '--all'], {}, /^assay verify: unknown option '--all'; see /],
    [
      'verify without a key',
      ['verify'],
      {},
      /^assay: BUYER_KEY is not set; --dry-run sends the unpaid requests/,
    ],
    [
      'verify with a bad key',
      ['verify'],
      { BUYER_KEY: '0x1' },
      /^assay: invalid setting: BUYER_KEY must be a private key/,
    ],
    [
      'verify with a bad cap',
      ['verify'],
      { BUYER_KEY: KEY, VERIFY_CAP_DAY: '1e3' },
      /^assay: invalid setting: VERIFY_CAP_DAY must be a plain decimal of USD/,
    ],
    [
      'verify of a service that is not there',
      ['verify', '--dry-run', '--service', 'x'],
      {},
      /^assay: no service has the id x$/m,
    ],
    [
      'verify without a node to ask',
      ['verify'],
      { BUYER_KEY: KEY, RPC_URL: 'http://127.0.0.1:9' },
      /assay: the node at RPC_URL does not answer, so nothing is paid$/m,
    ],
    ['crawl with a bad limit', ['crawl', '--limit', '0'], {}, /^assay crawl: --limit must be a whole number/],
    [
      'crawl of a list that is not there',
      ['crawl', '--list', 'x'],
      {},
      /^assay: catalog\/discovery\.json has no list x$/m,
    ],
    [
      'going on with a part of a crawl',
      ['crawl', '--resume', '--limit', '5'],
      {},
      /^assay: --resume continues a whole run: it cannot be combined with --list or --limit$/m,
    ],
    [
      'crawl with nothing to go on with',
      ['crawl', '--resume'],
      {},
      /^assay: there is no unfinished run to resume$/m,
    ],
    ['a worker with words', ['crawl-worker', 'x'], {}, /^assay crawl-worker: too many arguments/],
    [
      'a worker without PostgreSQL',
      ['crawl-worker'],
      {},
      /^assay: crawl-worker needs DATABASE_URL; with the embedded store assay crawl probes alone$/m,
    ],
    ['serve with words', ['serve', 'now'], {}, /^assay serve: too many arguments/],
    [
      'serve with an invalid setting',
      ['serve'],
      { PORT: 'x' },
      /^assay: invalid setting: PORT must be a port number$/m,
    ],
    ['a report with a bad option', ['report', '--since', 'x'], {}, /^assay report: --since must be/],
  ])('%s: one clear line, and 2 for invalid arguments, 1 for all else', (_, words, settings, line) => {
    const { status, stdout, stderr } = assay(words, settings);
    expect(stderr).toMatch(line);
    expect(stderr).not.toContain(KEY.slice(2));
    expect([status, stdout]).toEqual([/; see assay [a-z-]+ --help$/m.test(stderr) ? 2 : 1, '']);
  });

  it('a command that nobody knows is a usage fault, with the nearest that somebody does', () => {
    expect(assay(['skip'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'assay: unknown command "skip" (did you mean skips?); see assay help\n',
    });
  });

  it('a key that cannot be written is no service that cannot be reached', () => {
    expect(assay(['seller', 'key', join(folder, 'nowhere', 'k')])).toEqual({
      status: 1,
      stdout: '',
      stderr: `assay: cannot write ${folder}/nowhere/k: no such folder\n`,
    });
  });

  it('a group alone lists its commands', () => {
    const { status, stdout } = assay(['guard']);
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'usage: assay guard <command>']);
  });

  it('serve --help explains it and serves nothing', () => {
    const { status, stdout } = assay(['serve', '--help'], { PORT: 'x' });
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'Usage: assay serve [options]']);
  });

  it('--version is the version of the package', () => {
    expect(assay(['--version']).stdout).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+\n$/);
  });

  it('a report over nothing says so, in words and in JSON', () => {
    const settings = { RPC_URL: 'http://127.0.0.1:9' };
    expect(assay(['migrate'], settings).status).toBe(0);
    expect(assay(['report'], settings).status).toBe(0);
    const { status, stdout } = assay(['report', '--json'], settings);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });
});
