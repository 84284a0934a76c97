import { setTimeout as wait } from 'node:timers/promises';
import { inParallel } from '../../tools/in-parallel.ts';
import { sendUntilSaid } from '../world/buyers.ts';
import { as } from '../world/callers.ts';
import type { Way } from '../world/mcp-line.ts';
import type { World } from '../world/world.ts';
import { transfersOn } from './chain-transfers.ts';
import { type Clients, saidBy } from './clients.ts';
import type { LedgerRow, PublishedRun, ReceiptReading, Replay, RunnerNote } from './evidence.ts';
import type { Journal, PaymentNote, PurchaseNote, Said } from './journal.ts';

export interface GatherParts {
  readonly world: World;
  readonly clients: Clients;
  readonly journal: Journal;
  readonly now: () => number;
}

const QUIET_MS = 120_000;
const AT_ONCE = 16;

/** Until the reconciler has nothing left to do; the checker sees what it could not. */
export async function untilReconciled({ world, now }: GatherParts): Promise<number> {
  const startedAt = now();
  while (now() - startedAt < QUIET_MS) {
    const open = await world.database.rows('select key from payments where open_since is not null');
    if (open.length === 0) break;
    await wait(500);
  }
  return now() - startedAt;
}

export async function readLedger({ world }: GatherParts): Promise<LedgerRow[]> {
  const rows = await world.database.rows('select key, state, tx, open_since from payments');
  return rows.map(({ key, state, tx, open_since }) => ({
    nonce: String(key).split('|').at(-1) ?? '',
    state: String(state),
    tx: typeof tx === 'string' ? tx : null,
    isOpen: open_since !== null,
  }));
}

/** Sends what nobody has said anything about, until somebody does. */
export async function askLate(parts: GatherParts): Promise<Map<string, Said | null>> {
  const { clients, journal, world, now } = parts;
  const open = journal.purchases.flatMap((purchase) =>
    purchase.payments.filter(isOpen).map((payment) => ({ purchase, payment })),
  );
  const late = new Map<string, Said | null>();
  await inParallel(AT_ONCE, open, async ({ purchase: { path, way, caller }, payment: { signed } }) => {
    const ask = clients.asking('late payment', caller, { way });
    const answer = await sendUntilSaid({ ask, path }, signed, now() + QUIET_MS);
    late.set(signed.nonce, answer === null ? null : saidBy(answer, world.replicas, now()));
  });
  return late;
}

function isOpen({ said }: PaymentNote): boolean {
  return said.every((one) => one === null || one.status === 503 || one.status === 409);
}

/** Every payment that has bought something, once more at every replica and in the other way, too. */
export async function replayAll(
  parts: GatherParts,
  late: ReadonlyMap<string, Said | null>,
): Promise<Replay[]> {
  const { clients, journal, world, now } = parts;
  const isBought = ({ said, signed }: PaymentNote) =>
    said.some((one) => one?.isPaid === true) || late.get(signed.nonce)?.isPaid === true;
  const bought = journal.purchases.flatMap((purchase: PurchaseNote) =>
    purchase.payments.filter(isBought).map(({ signed }) => ({ purchase, signed })),
  );
  const replays: Replay[] = [];
  await inParallel(AT_ONCE, bought, async ({ purchase: { path, way, caller }, signed }) => {
    const other: Way = way === 'http' ? 'mcp' : 'http';
    const ways = [
      ...world.replicas.map((replica) => clients.askingAt('replay', replica, way)),
      ...world.replicas.slice(0, 1).map((replica) => clients.askingAt('replay', replica, other)),
    ];
    for (const ask of ways) {
      // At once, also where something is free again (gap G63).
      const answer = await as(caller, ask)(path, { headers: { 'payment-signature': signed.header } });
      replays.push({ ...saidBy(answer, world.replicas, now()), nonce: signed.nonce });
    }
  });
  return replays;
}

export async function readReceipts({ clients, journal, world }: GatherParts): Promise<ReceiptReading[]> {
  const readings: ReceiptReading[] = [];
  await inParallel(AT_ONCE, [...journal.receipts], async (id) => {
    for (const replica of world.replicas) {
      const { status, text } = await clients.askingAt('receipt again', replica)(`/v1/receipts/${id}`);
      // Links are under the address that was asked.
      readings.push({ id, replica: replica.name, status, text: text.replaceAll(replica.address, '') });
    }
  });
  return readings;
}

export async function readRuns({ world }: GatherParts): Promise<PublishedRun[]> {
  const rows = await world.database.rows(
    `select crawl_runs.id as id, count(crawl_receipts.id) as receipts from crawl_runs
     left join crawl_receipts on crawl_receipts.run_id = crawl_runs.id
     where crawl_runs.crawled_at is not null group by crawl_runs.id`,
  );
  return rows.map(({ id, receipts }) => ({ id: String(id), receipts: Number(receipts) }));
}

export async function readRunner({ world }: GatherParts, payer: string): Promise<RunnerNote> {
  const [spent] = await world.database.rows("select spent from spending where scope = 'total'");
  const open = await world.database.rows('select id from paid_calls where open_since is not null');
  return { payer, spent: BigInt(String(spent?.['spent'] ?? 0)), open: open.length };
}

export const readTransfers = ({ world }: GatherParts) => transfersOn(world.surroundings.rpcUrl);
