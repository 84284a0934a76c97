import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createGuard, type Guard, type Ledger, memoryLedger } from '../src/guard/index.ts';
import { sqliteLedger } from '../src/guard/ledger/sqlite-ledger.ts';
import { median } from '../tools/measure.ts';
import { ENTRY, paywall } from '../tools/samples/challenge.ts';
import type { Finding, Report } from './report/findings.ts';

/**
 * What the guard costs a buyer: its own time for a purchase, beside the same payer without it, and for a request that costs
 * nothing, beside bare fetch. Samples are taken in turn, so that a slow second hits both.
 */
const PURCHASES = 500;
const REQUESTS = 6_000;
const WARM_UP = 3_000;
const BARE_SERVER = fileURLToPath(new URL('./http/bare-server.js', import.meta.url));
/** Signing takes milliseconds, with or without a guard; a constant in its place leaves what the guard adds visible. */
const SIGNER = {
  address: '0x209693Bc6afc0C5328bA36FaF03C514EF312287D',
  signTypedData: async () => `0x${'11'.repeat(65)}` as const,
} as const;

type Fetch = typeof globalThis.fetch;

interface Traffic {
  requests: number;
  bytes: number;
}

/** A seller in this process, which answers at once. */
function seller(traffic: Traffic): Fetch {
  const challenge = paywall([ENTRY]).headers.map(([name, value]): [string, string] => [name, value]);
  return async (input, init) => {
    const { headers, url } = new Request(input, init);
    traffic.requests += 1;
    traffic.bytes += url.length;
    for (const [name, value] of headers) traffic.bytes += name.length + value.length;
    if (headers.get('payment-signature') === null)
      return new Response('{}', { status: 402, headers: challenge });
    return new Response('{"answer":42}', { headers: { 'content-type': 'application/json' } });
  };
}

const paying = (fetch: Fetch) =>
  wrapFetchWithPayment(
    fetch,
    new x402Client().setSpendControls(false).register('eip155:*', new ExactEvmScheme(SIGNER)),
  );

const guarded = (ledger: Ledger, fetch: Fetch): Guard =>
  createGuard({ ledger, fetch, limits: { perPayment: '1', perDay: '1000000', perHostDay: '1000000' } });

async function purchaseRow(name: string, newLedger: () => Ledger, boundMs: number): Promise<Finding[]> {
  const [bare, with_] = [
    { requests: 0, bytes: 0 },
    { requests: 0, bytes: 0 },
  ];
  // Compiled by then, with a ledger of their own: the day that is measured has as many purchases as are counted.
  const warm = seller({ requests: 0, bytes: 0 });
  const before = guarded(newLedger(), warm);
  const [warmPay, warmGuarded] = [paying(warm), paying(before.fetch)];
  for (let at = 0; at < WARM_UP; at += 1) {
    await warmPay(`https://seller.example/before/${at}`);
    await warmGuarded(`https://seller.example/before/${at}`);
  }
  await before.close();
  const guard = guarded(newLedger(), seller(with_));
  const [pay, payGuarded] = [paying(seller(bare)), paying(guard.fetch)];
  const [times, guardedTimes]: number[][] = [[], []];
  for (let at = 0; at < PURCHASES; at += 1) {
    const url = `https://seller.example/paid/${at}`;
    const plain = await timed(() => pay(url));
    const own = await timed(() => payGuarded(url));
    times?.push(plain);
    guardedTimes?.push(own);
  }
  await guard.close();
  const [plain, own] = [median(times ?? []), median(guardedTimes ?? [])];
  return [
    {
      what: `a purchase, ${name}: added by the guard`,
      measured: `${(own - plain).toFixed(2)} ms`,
      bare: `${plain.toFixed(2)} ms`,
      bound: `<= ${boundMs} ms`,
      kept: own - plain <= boundMs,
    },
    {
      what: `a purchase, ${name}: more requests to the seller, more bytes`,
      measured: `${with_.requests - bare.requests}, ${with_.bytes - bare.bytes}`,
      bound: '0, 0',
      kept: with_.requests === bare.requests && with_.bytes === bare.bytes,
    },
  ];
}

async function passRow(name: string, ledger: Ledger, port: number): Promise<Finding> {
  const guard = guarded(ledger, globalThis.fetch);
  const url = `http://127.0.0.1:${port}/free`;
  const read = async (send: Fetch) => (await send(url)).arrayBuffer();
  const [times, guardedTimes]: number[][] = [[], []];
  for (let at = 0; at < REQUESTS + WARM_UP; at += 1) {
    const plain = await timed(() => read(globalThis.fetch));
    const own = await timed(() => read(guard.fetch));
    if (at < WARM_UP) continue;
    times?.push(plain);
    guardedTimes?.push(own);
  }
  await guard.close();
  const [plain, own] = [median(times ?? []), median(guardedTimes ?? [])];
  return {
    what: `a request that costs nothing, ${name}`,
    measured: `${own.toFixed(3)} ms`,
    bare: `${plain.toFixed(3)} ms`,
    ratio: own / plain,
    bound: '<= 1.03',
    kept: own / plain <= 1.03,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export async function benchGuard(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const child = fork(BARE_SERVER);
  child.send({
    '/free': { status: 200, headers: { 'content-type': 'application/json' }, body: '{"answer":42}' },
  });
  const [port] = await once(child, 'message');
  try {
    let files = 0;
    const newFile = () => {
      files += 1;
      return sqliteLedger(join(folder, `purchases-${files}.db`));
    };
    return {
      about:
        'The guard below a stock payer; bare is the same payer, or fetch, without it. Medians, samples taken in turn.',
      findings: [
        ...(await purchaseRow('ledger in memory', memoryLedger, 0.6)),
        ...(await purchaseRow('ledger in SQLite', newFile, 1.5)),
        await passRow('ledger in memory', memoryLedger(), Number(port)),
        await passRow('ledger in SQLite', newFile(), Number(port)),
      ],
    };
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}
