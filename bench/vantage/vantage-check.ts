import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/main/config/config.ts';
import { vantageClient } from '../../src/main/vantage/service-vantages.ts';
import { type Connection, openConnection } from '../../tools/http-load.ts';
import { median } from '../../tools/measure.ts';
import { CHECK_SELLER, CHECK_SERVICE, checkOf, coldUrl, type Program, start } from '../check/check.ts';
import type { Finding, Report } from '../report/findings.ts';
import { startVantages } from './vantage-processes.ts';

/** Whole free checks whose payment needs two vantages, beside the same checks of a service that asks nobody; they take turns. */
const CHECKS = 150;
/** Together fewer than a vantage admits of one client in a minute. */
const WARM_UP = 100;
const WITHIN = 1.3;
const SECRET = 'the-secret-of-the-benchmark';

async function startService(seller: Program, dataDir: string, more: Readonly<Record<string, string>> = {}) {
  return start(CHECK_SERVICE, {
    ...more,
    BENCH_SELLER_PORT: String(seller.port),
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: '127.0.0.1',
    SECRET,
    LOG_LEVEL: 'info',
  });
}

async function checkMs(connection: Connection): Promise<number> {
  const from = performance.now();
  const status = await connection.ask(checkOf(coldUrl()));
  if (status !== 200) throw new Error(`answered ${status} instead of 200`);
  return performance.now() - from;
}

/** A seller that thinks for this long. */
async function measure(sellerMs: number, bound: number | null): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-vantage-'));
  const reading = readConfig({});
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const seller = await start(CHECK_SELLER, { BENCH_SELLER_MS: String(sellerMs) });
  const vantages = await startVantages(seller.port, [vantageClient(reading.config, SECRET).key]);
  const file = join(folder, 'vantages');
  writeFileSync(file, vantages.file);
  const alone = await startService(seller, join(folder, 'alone'));
  const asking = await startService(seller, join(folder, 'asking'), {
    VANTAGES: file,
    VANTAGE_FROM_USD: '0',
  });
  const connections = { alone: await openConnection(alone.port), asking: await openConnection(asking.port) };
  const times = { alone: [] as number[], asking: [] as number[] };
  try {
    for (let round = -WARM_UP; round < CHECKS; round += 1) {
      const aloneMs = await checkMs(connections.alone);
      const askingMs = await checkMs(connections.asking);
      if (round < 0) continue;
      times.alone.push(aloneMs);
      times.asking.push(askingMs);
    }
  } finally {
    connections.alone.close();
    connections.asking.close();
    vantages.stop();
    for (const { child } of [seller, alone, asking]) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  const [bareMs, ms] = [median(times.alone), median(times.asking)];
  return {
    what: `a check of a seller that takes ${sellerMs} ms`,
    measured: `${ms.toFixed(1)} ms`,
    bare: `${bareMs.toFixed(1)} ms without vantages`,
    ratio: ms / bareMs,
    ...(bound === null ? {} : { bound: `<= ${bound}`, kept: ms / bareMs <= bound }),
  };
}

export async function benchVantageCheck(): Promise<Report> {
  const about =
    'Latency of a whole free check on SQLite that needs two vantages, beside one that needs none. Five processes share the cores ' +
    `of this machine, and the network takes nothing, so that a seller which answers at once shows only what the machine computes: ` +
    `it has no bound (decision 0013). Medians of ${CHECKS}.`;
  return {
    about,
    findings: [await measure(0, null), await measure(50, WITHIN), await measure(200, WITHIN)],
  };
}
