import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createHttpFacilitator } from '../../src/adapters/facilitator/http-facilitator.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import { sandboxAccounts } from '../../src/sandbox/chain/funded-accounts.ts';
import { cpuMicros, openConnection, runLoad } from '../../tools/http-load.ts';
import { fillStore, RECEIPT_ID } from '../../tools/http-rows.ts';
import { median } from '../../tools/measure.ts';
import { projectFile } from '../../tools/project-file.ts';
import {
  ALWAYS,
  chargeOf,
  paymentHeader,
  readSigned,
  type SignedAuthorization,
  signAuthorization,
} from '../../tools/signed-payment.ts';
import type { Finding, Report } from '../report/findings.ts';
import { freshCaller, requestTo, type Server, startProgram, stopProgram } from '../report/program.ts';

/**
 * A paid lookup from the request to the frozen answer on the sandbox's chain, beside a facilitator that is asked to verify and
 * settle an equal payment with nothing around it. Both sides take turns in this run; what is signed, is signed before.
 */
const WORLD = projectFile('bench/http/payments-world.mjs');
const PATH = '/v1/lookup/paid?task=exchange-rate';
const PRICE = 20_000n;
const ROUNDS = 7;
const PAYMENTS = Number(process.env['BENCH_PAYMENTS'] ?? 48);
const WALL_RATIO_MAX = 1.3;
// The ledger is read every time, while a receipt is rendered once and kept.
const REPLAY_RATIO_MAX = 5;
const REPLAY_CONNECTIONS = 16;
const REPLAY_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1_500);

interface Sides {
  readonly service: Server;
  /** Chain and facilitator. */
  readonly worldPid: number;
  readonly facilitatorUrl: string;
}

const { seller, buyers } = sandboxAccounts();

async function sign(count: number): Promise<readonly SignedAuthorization[]> {
  const signed: SignedAuthorization[] = [];
  for (let n = 0; n < count; n += 1) {
    const key = buyers[n % buyers.length]?.key;
    if (key === undefined) throw new Error('the sandbox has no buyers');
    signed.push(await signAuthorization({ key, to: seller.address, value: PRICE }));
  }
  return signed;
}

const paidRequest = (signed: SignedAuthorization, caller?: string) =>
  requestTo(PATH, caller, `payment-signature: ${paymentHeader(signed)}\r\n`);

/** So many workers share the payments; each finishes one before it takes the next. */
async function inWorkers(
  workers: number,
  payments: readonly SignedAuthorization[],
  open: () => Promise<{ pay(signed: SignedAuthorization): Promise<void>; close(): void }>,
): Promise<void> {
  const waiting = [...payments];
  const worker = async () => {
    const { pay, close } = await open();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await pay(next);
    close();
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function throughService(
  { service }: Sides,
  workers: number,
  payments: readonly SignedAuthorization[],
  caller?: string,
) {
  return inWorkers(workers, payments, async () => {
    const { ask, close } = await openConnection(service.port);
    return {
      async pay(signed) {
        const status = await ask(paidRequest(signed, caller));
        if (status !== 200) throw new Error(`a paid lookup answered ${status}`);
      },
      close,
    };
  });
}

function bare({ facilitatorUrl }: Sides, workers: number, payments: readonly SignedAuthorization[]) {
  const facilitator = createHttpFacilitator({ url: facilitatorUrl });
  const charge = chargeOf(PRICE, seller.address);
  return inWorkers(workers, payments, async () => ({
    async pay(signed) {
      const payment = readSigned(signed);
      const { kind: verified } = await facilitator.verify(payment, charge);
      const { kind: settled } = await facilitator.settle(payment, charge, ALWAYS);
      if (verified !== 'valid' || settled !== 'settled') throw new Error(`${verified}, ${settled}`);
    },
    close: () => {},
  }));
}

interface Cost {
  readonly seconds: number;
  readonly serviceMs: number;
  readonly worldMs: number;
}

/** Each for one payment, but for the seconds of the whole round. */
async function costOf(
  { service, worldPid }: Sides,
  work: (payments: readonly SignedAuthorization[]) => Promise<void>,
): Promise<Cost> {
  const payments = await sign(PAYMENTS);
  const before = { service: cpuMicros(service.child.pid ?? 0), world: cpuMicros(worldPid) };
  const start = performance.now();
  await work(payments);
  const seconds = (performance.now() - start) / 1_000;
  const each = (micros: number) => micros / 1_000 / PAYMENTS;
  return {
    seconds,
    serviceMs: each(cpuMicros(service.child.pid ?? 0) - before.service),
    worldMs: each(cpuMicros(worldPid) - before.world),
  };
}

async function comparePayments(sides: Sides, workers: number): Promise<Finding> {
  const rounds: { ours: Cost; limit: Cost }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ours = await costOf(sides, (payments) => throughService(sides, workers, payments));
    const limit = await costOf(sides, (payments) => bare(sides, workers, payments));
    // The first one loads what knows the chain.
    if (round > 0) rounds.push({ ours, limit });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const ratio = of(({ ours, limit }) => ours.seconds / limit.seconds);
  const rate = (seconds: number) => `${(PAYMENTS / seconds).toFixed(0)}/s`;
  const service = of(({ ours }) => ours.serviceMs).toFixed(1);
  const [world, alone] = [of(({ ours }) => ours.worldMs), of(({ limit }) => limit.worldMs)];
  return {
    what: `paid lookup, ${workers === 1 ? 'one after another' : `${workers} at a time`}`,
    measured: `${rate(of(({ ours }) => ours.seconds))}, service ${service} ms, chain and facilitator ${world.toFixed(1)} ms`,
    bare: `${rate(of(({ limit }) => limit.seconds))}, chain and facilitator ${alone.toFixed(1)} ms`,
    ratio,
    bound: `wall <= ${WALL_RATIO_MAX}`,
    kept: ratio <= WALL_RATIO_MAX,
  };
}

/**
 * The same payment again from the network that paid, beside a receipt. Nearly all repeats are beyond the ten of an hour: 429,
 * after the same reads (gap G97).
 */
async function compareReplay(sides: Sides): Promise<Finding> {
  const payments = await sign(PAYMENTS);
  const payer = freshCaller();
  await throughService(sides, 4, payments, payer);
  const replays = payments.map((signed) => paidRequest(signed, payer));
  const port = sides.service.port;
  const round = async (request: (n: number) => string) => {
    const pid = sides.service.child.pid ?? 0;
    const before = cpuMicros(pid);
    const load = { port, connections: REPLAY_CONNECTIONS, ms: REPLAY_MS, request };
    const { answers, statuses } = await runLoad(load);
    if ([...statuses.keys()].some((status) => status !== 200 && status !== 429)) {
      throw new Error(JSON.stringify([...statuses]));
    }
    return (cpuMicros(pid) - before) / answers;
  };
  const replay = () => round((n) => replays[n % replays.length] ?? '');
  const receipt = () => round(() => requestTo(`/v1/receipts/${RECEIPT_ID}`));
  await replay();
  await receipt();
  const rounds: { ours: number; limit: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push({ ours: await replay(), limit: await receipt() });
  const ratio = median(rounds.map(({ ours, limit }) => ours / limit));
  return {
    what: 'the same payment again and again, beside a receipt by id',
    measured: `${median(rounds.map(({ ours }) => ours)).toFixed(0)} µs`,
    bare: `${median(rounds.map(({ limit }) => limit)).toFixed(0)} µs`,
    ratio,
    bound: `<= ${REPLAY_RATIO_MAX}`,
    kept: ratio <= REPLAY_RATIO_MAX,
  };
}

const worldReport = z.object({ rpcUrl: z.string(), facilitatorUrl: z.string() });

export async function benchPayments(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const world = fork(WORLD);
  try {
    const ended = once(world, 'exit').then(() => Promise.reject(new Error('the chain did not start')));
    const [message] = await Promise.race([once(world, 'message'), ended]);
    ended.catch(() => {});
    const { rpcUrl, facilitatorUrl } = worldReport.parse(message);
    const store = await openSqlite({ file: join(folder, 'assay.db') });
    await fillStore(store, []);
    await store.close();
    const settings = {
      DATA_DIR: folder,
      FACILITATOR_URL: facilitatorUrl,
      RPC_URL: rpcUrl,
      PAY_TO: seller.address,
    };
    const service = await startProgram(settings);
    try {
      const sides = { service, worldPid: world.pid ?? 0, facilitatorUrl };
      const findings = [
        await comparePayments(sides, 1),
        await comparePayments(sides, 8),
        await compareReplay(sides),
      ];
      const about =
        `Verify, claim, work, settle and freeze on the sandbox's chain, SQLite; bare is the facilitator's own verify and settle ` +
        `of an equal payment. Processor time per payment; ${PAYMENTS} payments a round, medians of ${ROUNDS}. A settlement is one ` +
        'transaction after another, of one gas key: the chain is the limit, not the service.';
      return { about, findings };
    } finally {
      await stopProgram(service);
    }
  } finally {
    world.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
