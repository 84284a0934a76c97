import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, misses, printReport } from './report/findings.ts';
import { describeMachine } from './report/machine.ts';
import { withSection } from './report/results-file.ts';

/**
 * `npm run bench [name...] [-- --write]`: prints what each benchmark found and ends with 1 when a bound is broken. With
 * --write its section of bench/RESULTS.md is replaced.
 */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  challenge: async () => (await import('./check/challenge.ts')).benchChallenge,
  probe: async () => (await import('./check/probe.ts')).benchProbe,
  vantage: async () => (await import('./vantage/vantage.ts')).benchVantage,
  'vantage-check': async () => (await import('./vantage/vantage-check.ts')).benchVantageCheck,
  crawl: async () => (await import('./crawl/crawl.ts')).benchCrawl,
  'crawl-memory': async () => (await import('./crawl/crawl-memory.ts')).benchCrawlMemory,
  'probe-memory': async () => (await import('./check/probe-memory.ts')).benchProbeMemory,
  store: async () => (await import('./store/store.ts')).benchStore,
  'lookup-scale': async () => (await import('./http/lookup-scale.ts')).benchLookupScale,
  'skips-scale': async () => (await import('./store/skips-scale.ts')).benchSkipsScale,
  'hosts-scale': async () => (await import('./store/hosts-scale.ts')).benchHostsScale,
  'receipts-scale': async () => (await import('./store/receipts-scale.ts')).benchReceiptsScale,
  check: async () => (await import('./check/check.ts')).benchCheck,
  http: async () => (await import('./http/http.ts')).benchHttp,
  mcp: async () => (await import('./http/mcp.ts')).benchMcp,
  guard: async () => (await import('./guard.ts')).benchGuard,
  snapshot: async () => (await import('./crawl/snapshot.ts')).benchSnapshot,
  log: async () => (await import('./store/log.ts')).benchLog,
  payments: async () => (await import('./http/payments.ts')).benchPayments,
  start: async () => (await import('./http/start.ts')).benchStart,
  replicas: async () => (await import('./http/replicas.ts')).benchReplicas,
};
const NAMES = Object.keys(BENCHES);
const RESULTS = new URL('../../bench/RESULTS.md', import.meta.url);

async function runHere(name: string, write: boolean): Promise<void> {
  const bench = await BENCHES[name]?.();
  if (bench === undefined) {
    console.error(`no benchmark ${name}; there are: ${NAMES.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const machine = describeMachine();
  console.log(`\n${name} (${machine})`);
  const start = performance.now();
  const report = await bench();
  printReport(report);
  const missed = misses(report);
  if (missed.length > 0) {
    console.error(`missed: ${missed.join('; ')}`);
    process.exitCode = 1;
  }
  if (!write) return;
  const run = { at: new Date(), seconds: (performance.now() - start) / 1_000, machine };
  const before = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '';
  writeFileSync(RESULTS, withSection(before, { name, report, run }, NAMES));
}

/** Each in a process of its own: memory that one of them measures must not be that of another. */
async function runApart(name: string, write: boolean): Promise<void> {
  const words = [fileURLToPath(import.meta.url), name, ...(write ? ['--write'] : [])];
  const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
  if (code !== 0) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [only, ...more] = positionals;
if (only !== undefined && more.length === 0) await runHere(only, values.write);
else for (const name of positionals.length > 0 ? positionals : NAMES) await runApart(name, values.write);
