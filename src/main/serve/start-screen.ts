import { join } from 'node:path';
import type { Paint } from '../../cli/show/paint.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { VantageList } from '../../core/vantage/vantage-files.ts';
import type { LogState } from '../../flows/log/log-state.ts';
import type { PublicConfig } from '../build/build-app.ts';

export interface StartFacts {
  readonly config: PublicConfig;
  /** Where it listens. */
  readonly address: string;
  readonly version: string;
  readonly lastRun: Date | null;
  readonly lastPaidCall: Date | null;
  readonly log: { readonly state: LogState; readonly size: number };
  /** Other points of view; null without any. */
  readonly vantages: VantageList | null;
  /** An endpoint of the catalog that can be checked; null if there is none. */
  readonly example: string | null;
}

interface Line {
  readonly name: string;
  readonly isOn: boolean;
  readonly words: string;
}

const NAME_CHARS = 10;

/** What is on, what is off, and what turns it on: for the person who has started it. */
export function startScreen(facts: StartFacts, paint: Paint): string {
  const parts = linesOf(facts).map(({ name, isOn, words }) => {
    const state = isOn ? paint.good('on ') : paint.wait('off');
    return `  ${name.padEnd(NAME_CHARS)}  ${state}  ${words}\n`;
  });
  const next = nextOf(facts).map(([name, words]) => `  ${paint.dim(name.padEnd(NAME_CHARS))}  ${words}\n`);
  return `${paint.strong(`Assay ${facts.version}`)}\n\n${parts.join('')}\n${next.join('')}\n`;
}

function linesOf({ config, address, lastRun, lastPaidCall, log, vantages }: StartFacts): readonly Line[] {
  const { baseUrl, metricsHost, metricsPort, contact } = config;
  const isElsewhere = baseUrl !== address;
  return [
    on('address', isElsewhere ? `${baseUrl}, listening on ${address}` : address),
    on('store', store(config)),
    payments(config),
    crawl(config, lastRun),
    lastPaidCall === null
      ? off('paid calls', 'none yet: BUYER_KEY=0x... npx assay verify')
      : on('paid calls', `last ${minuteOf(lastPaidCall)}`),
    on('MCP', `${baseUrl}/mcp`),
    transparencyLog(config, log),
    otherViews(config, vantages),
    metricsPort === null
      ? off('metrics', 'set METRICS_PORT')
      : on('metrics', `${metricsHost}:${metricsPort}/metrics`),
    contact === null
      ? off('contact', 'set CONTACT=mailto:you@example.com, for security.txt')
      : on('contact', contact),
  ];
}

function store({ databaseUrl, databaseReadUrl, dataDir }: PublicConfig): string {
  if (databaseUrl === null) return join(dataDir, 'assay.db');
  return databaseReadUrl === null ? 'PostgreSQL' : 'PostgreSQL, and a read replica for pages';
}

/** Of a facilitator only the host: an address often contains a key. */
function payments({ payTo, facilitator }: PublicConfig): Line {
  if (payTo === null) return off('payments', 'nothing is sold: set PAY_TO to a wallet');
  const through = facilitator.kind === 'http' ? new URL(facilitator.url).host : 'our own gas key';
  return on('payments', `to ${payTo} through ${through}`);
}

function crawl({ crawl: setting }: PublicConfig, lastRun: Date | null): Line {
  const weekly = setting === 'weekly' ? 'weekly; ' : '';
  if (lastRun !== null) return on('crawl', `${weekly}last run ${minuteOf(lastRun)}`);
  return setting === 'weekly'
    ? on('crawl', 'weekly; the first run begins now')
    : off('crawl', 'no run yet: npx assay crawl, or CRAWL=weekly');
}

function transparencyLog({ transparency }: PublicConfig, { state, size }: StartFacts['log']): Line {
  if (state !== 'ok') return off('log', `${state}: see docs/operations.md`);
  const witnesses = transparency.policyFile === null ? 'no witnesses: set LOG_POLICY' : 'with witnesses';
  return on('log', `${transparency.origin}, ${size} ${size === 1 ? 'entry' : 'entries'}; ${witnesses}`);
}

function otherViews({ vantages: { fromPrice } }: PublicConfig, list: VantageList | null): Line {
  if (list === null) return off('vantages', 'set VANTAGES');
  const { quorum, vantages } = list;
  const all = vantages.length;
  const who = quorum < all ? `${quorum} of them` : (['it', 'both'][all - 1] ?? 'all');
  const [dollars, cents = ''] = formatUsd(fromPrice).split('.');
  return on('vantages', `${all}, ${who} must agree from $${dollars}.${cents.padEnd(2, '0')}`);
}

/** The command line asks these when nothing else is said. */
const ASKED_BY_DEFAULT: ReadonlySet<string> = new Set(['http://127.0.0.1:4402', 'http://0.0.0.0:4402']);

/** As they work while this service runs: the sandbox has the same port, unless it is given another one. */
function nextOf({ example, address }: StartFacts): readonly (readonly [name: string, words: string])[] {
  const server = ASKED_BY_DEFAULT.has(address) ? '' : ` --server ${address}`;
  return [
    ...(example === null ? [] : [['check', `npx assay check --dry-run ${example}${server}`] as const]),
    ['sandbox', 'npm run sandbox -- --port 0: sellers of every kind and play money, all on this machine'],
    ['tour', 'npm run tour: a check, a purchase, a refusal and a proof in a minute'],
  ];
}

function on(name: string, words: string): Line {
  return { name, isOn: true, words };
}

function off(name: string, words: string): Line {
  return { name, isOn: false, words };
}

function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
