import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { createPaint } from '../../cli/show/paint.ts';
import { readConfig } from '../config/config.ts';
import { type StartFacts, startScreen } from './start-screen.ts';

const WALLET = '0x1111111111111111111111111111111111111111';

function factsOf(settings: Record<string, string>, more: Partial<StartFacts> = {}): StartFacts {
  const reading = readConfig(settings);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const config = { ...reading.config, baseUrl: reading.config.baseUrl ?? 'http://127.0.0.1:4402' };
  const log = { state: 'ok', size: 1 } as const;
  return {
    config,
    address: 'http://127.0.0.1:4402',
    version: '1.2.3',
    lastRun: null,
    lastPaidCall: null,
    log,
    vantages: null,
    example: null,
    ...more,
  };
}

const plain = createPaint(false);

function listOf(count: number, quorum: number) {
  const { key } = seededSigner('vantage.example/v1');
  const vantages = Array.from({ length: count }, () => ({ name: 'a', key, url: 'https://a.example' }));
  return { vantages, quorum };
}

it('says on a first start what is off, and what turns it on', () => {
  const example = 'https://api.example.com/data';
  expect(startScreen(factsOf({}, { example }), plain)).toBe(`Assay 1.2.3

  address     on   http://127.0.0.1:4402
  store       on   data/assay.db
  payments    off  nothing is sold: set PAY_TO to a wallet
  crawl       off  no run yet: npx assay crawl, or CRAWL=weekly
  paid calls  off  none yet: BUYER_KEY=0x... npx assay verify
  MCP         on   http://127.0.0.1:4402/mcp
  log         on   localhost/log, 1 entry; no witnesses: set LOG_POLICY
  vantages    off  set VANTAGES
  metrics     off  set METRICS_PORT
  contact     off  set CONTACT=mailto:you@example.com, for security.txt

  check       npx assay check --dry-run https://api.example.com/data
  sandbox     npm run sandbox -- --port 0: sellers of every kind and play money, all on this machine
  tour        npm run tour: a check, a purchase, a refusal and a proof in a minute

`);
});

it.each<[address: string, words: string]>([
  ['http://127.0.0.1:4402', 'https://api.example.com/data'],
  ['http://0.0.0.0:4402', 'https://api.example.com/data'],
  ['http://127.0.0.1:8080', 'https://api.example.com/data --server http://127.0.0.1:8080'],
  ['http://192.0.2.7:4402', 'https://api.example.com/data --server http://192.0.2.7:4402'],
])('at %s shows a check that asks this service', (address, words) => {
  const screen = startScreen(factsOf({}, { address, example: 'https://api.example.com/data' }), plain);
  expect(screen).toContain(`npx assay check --dry-run ${words}\n`);
});

it('is in the docs as it is shown', () => {
  const document = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  expect(document).toContain(startScreen(factsOf({}), plain).split('\n').slice(2, 12).join('\n'));
});

it('says what is on', () => {
  const settings = {
    BASE_URL: 'https://assay.example.org',
    DATABASE_URL: 'postgres://user:hidden@db.example.org/assay',
    PAY_TO: WALLET,
    FACILITATOR_URL: 'https://facilitator.example.org/hidden-key',
    CRAWL: 'weekly',
    LOG_POLICY: 'witnesses.txt',
    METRICS_PORT: '9402',
    CONTACT: 'mailto:ops@example.org',
  };
  const at = new Date('2026-11-15T12:00:00.000Z');
  const log = { state: 'behind', size: 1234 } as const;
  const more = { lastRun: at, lastPaidCall: at, log, vantages: listOf(2, 2) };
  const screen = startScreen(factsOf(settings, more), plain);
  expect(screen).not.toContain('hidden');
  expect(screen.split('\n').slice(2, 12)).toEqual([
    '  address     on   https://assay.example.org, listening on http://127.0.0.1:4402',
    '  store       on   PostgreSQL',
    `  payments    on   to ${WALLET} through facilitator.example.org`,
    '  crawl       on   weekly; last run 2026-11-15 12:00 UTC',
    '  paid calls  on   last 2026-11-15 12:00 UTC',
    '  MCP         on   https://assay.example.org/mcp',
    '  log         off  behind: see docs/operations.md',
    '  vantages    on   2, both must agree from $0.10',
    '  metrics     on   127.0.0.1:9402/metrics',
    '  contact     on   mailto:ops@example.org',
  ]);
});

it.each([
  [1, 1, '0.10', '1, it must agree from $0.10'],
  [3, 2, '0.5', '3, 2 of them must agree from $0.50'],
  [3, 3, '2', '3, all must agree from $2.00'],
])('of %i vantages says that %i must agree from %s', (count, quorum, price, words) => {
  const facts = factsOf({ VANTAGE_FROM_USD: price }, { vantages: listOf(count, quorum) });
  expect(startScreen(facts, plain)).toContain(`vantages    on   ${words}\n`);
});

it('names a read replica without its address', () => {
  const urls = { DATABASE_URL: 'postgres://a/hidden', DATABASE_READ_URL: 'postgres://b/hidden' };
  const screen = startScreen(factsOf(urls), plain);
  expect(screen).toContain('  store       on   PostgreSQL, and a read replica for pages\n');
  expect(screen).not.toContain('hidden');
});

it('is coloured where that is allowed, and aligned the same', () => {
  const screen = startScreen(factsOf({}), createPaint(true));
  expect(screen).toContain('\u001b[');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  expect(screen.replace(/\u001b\[[0-9;]*m/g, '')).toBe(startScreen(factsOf({}), plain));
});
