import { setTimeout as wait } from 'node:timers/promises';
import { type Buyer, buy } from '../world/buyers.ts';
import type { SellerClaims } from '../world/surroundings.ts';
import type { Chance } from './chance.ts';
import type { Clients, Through } from './clients.ts';
import type { Journal } from './journal.ts';

export interface TrafficParts {
  readonly clients: Clients;
  readonly journal: Journal;
  readonly buyers: readonly Buyer[];
  readonly sellers: readonly SellerClaims[];
  readonly chance: Chance;
  readonly isOver: () => boolean;
}

const CHECK = '/v1/products/endpoint-spot-check';
export const PAID_LOOKUP = '/v1/lookup/paid?task=prime-factors';
const PACK = '/v1/products/overnight-cos-pack';
const TASKS = ['prime-factors', 'text-hash', 'weather', 'currency-conversion'] as const;
const PAUSE_MS = { low: 10, high: 120 };
/** One lane has so many callers, whom nobody else plays: their free uses come one after the other. */
export const CALLERS_PER_LANE = 40;

/** How often each kind of question is asked, of a hundred. */
const MIX: readonly (readonly [weight: number, act: (lane: Lane) => Promise<void>])[] = [
  [28, lookUp],
  [8, checkFreely],
  [10, dryRun],
  [3, dryRunSlowly],
  [14, buyLookup],
  [8, buyCheck],
  [1, buyPack],
  [10, buyOverMcp],
  [9, readReceipt],
  [5, lookUpOverMcp],
  [4, readPages],
  [8, readCheckpoint],
];

const ACTS = MIX.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

interface Lane extends TrafficParts {
  readonly number: number;
  readonly buyer: Buyer;
}

/** So many clients at once, each of which does one thing after the other until it is over. */
export async function runTraffic(parts: TrafficParts, lanes: number): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, (_, number) => runLane(parts, number)));
}

async function runLane(parts: TrafficParts, number: number): Promise<void> {
  const buyer = parts.buyers[number % parts.buyers.length];
  if (buyer === undefined) throw new Error('there are no buyers');
  const chance = parts.chance.split(`lane ${number}`);
  const lane = { ...parts, number, buyer, chance };
  while (!parts.isOver()) {
    const act = ACTS[chance.between(0, ACTS.length)] ?? lookUp;
    // No answer is an answer, too: it is in the journal, and the client goes on.
    await act(lane).catch(() => {});
    await wait(chance.between(PAUSE_MS.low, PAUSE_MS.high));
  }
}

function callerOf({ number, chance }: Lane): number {
  return number * CALLERS_PER_LANE + chance.between(0, CALLERS_PER_LANE);
}

async function lookUp(lane: Lane, through: Through = {}): Promise<void> {
  const caller = callerOf(lane);
  const answer = await lane.clients.asking('lookup', caller, through)(lookupOf(lane));
  lane.clients.noteFree('lookup', caller, answer);
}

const lookupOf = ({ chance }: Lane) => `/v1/lookup?task=${chance.oneOf(TASKS)}`;

/** The free share is one for both. */
async function lookUpOverMcp(lane: Lane): Promise<void> {
  await lookUp(lane, { way: 'mcp' });
}

function checkOf({ sellers, chance }: Lane, names: readonly string[], parameters = {}): string {
  const open = sellers.filter(({ name }) => names.includes(name));
  const seller = open[chance.between(0, open.length)];
  if (seller === undefined) throw new Error('there are no sellers');
  // Some are new to the service, most are not: a host is probed thirty times a minute at most.
  const url = chance.share() < 0.2 ? `${seller.url}?n=${chance.between(0, 1_000)}` : seller.url;
  return `${CHECK}?${new URLSearchParams({ url, ...parameters })}`;
}

const CHECKED = ['honest', 'honest-v1', 'honest-v2', 'raised-price', 'swapped-payee', 'junk', 'factors'];

async function checkFreely(lane: Lane): Promise<void> {
  const caller = callerOf(lane);
  const answer = await lane.clients.asking('check', caller)(checkOf(lane, CHECKED));
  lane.clients.noteFree('check', caller, answer);
}

async function dryRun(lane: Lane): Promise<void> {
  // One caller of each lane has more questions than a day has dry runs.
  const caller = lane.chance.share() < 0.8 ? lane.number * CALLERS_PER_LANE : callerOf(lane);
  const path = checkOf(lane, CHECKED, { mode: 'dry-run' });
  lane.clients.noteFree('dry_run', caller, await lane.clients.asking('dry run', caller)(path));
}

/** A target that hangs. */
async function dryRunSlowly(lane: Lane): Promise<void> {
  const caller = callerOf(lane);
  const path = checkOf(lane, ['slow'], { mode: 'dry-run' });
  const answer = await lane.clients.asking('dry run of a target that hangs', caller)(path);
  lane.clients.noteFree('dry_run', caller, answer);
}

async function buyLookup(lane: Lane): Promise<void> {
  await purchase(lane, PAID_LOOKUP, callerOf(lane));
}

async function buyCheck(lane: Lane): Promise<void> {
  await purchase(lane, checkOf(lane, CHECKED), callerOf(lane));
}

async function buyPack(lane: Lane): Promise<void> {
  await purchase(lane, PACK, callerOf(lane));
}

/** By one caller of each lane, because a tool costs nothing as long as the day's share lasts. */
async function buyOverMcp(lane: Lane): Promise<void> {
  const share = lane.chance.share();
  const path = share < 0.6 ? lookupOf(lane) : share < 0.95 ? checkOf(lane, CHECKED) : PACK;
  await purchase(lane, path, lane.number * CALLERS_PER_LANE, { way: 'mcp' });
}

/** As docs/buying.md has it: whatever happens, no second payment while the first is open. */
export async function purchase(
  { clients, buyer }: Pick<Lane, 'clients' | 'buyer'>,
  path: string,
  caller: number,
  through: Through = {},
): Promise<void> {
  const noting = clients.notePurchase(path, caller, through.way ?? 'http');
  const bought = await buy({ ask: clients.asking('purchase', caller, through), path, buyer, ...noting });
  // A check may still be free for this caller.
  if (bought.kind === 'unpaid')
    clients.noteFree(path.startsWith(CHECK) ? 'check' : 'lookup', caller, bought.answer);
}

async function readReceipt(lane: Lane): Promise<void> {
  const known = [...lane.journal.receipts];
  const id = known[lane.chance.between(0, known.length)];
  if (id !== undefined) await lane.clients.asking('receipt', callerOf(lane))(`/v1/receipts/${id}`);
}

async function readPages(lane: Lane): Promise<void> {
  const path = lane.chance.oneOf(['/v1/tasks', '/v1/skips.json', '/', '/readyz']);
  await lane.clients.asking('page', callerOf(lane))(path);
}

async function readCheckpoint(lane: Lane): Promise<void> {
  const answer = await lane.clients.asking('checkpoint', callerOf(lane))('/log/checkpoint');
  if (answer.status === 200) lane.journal.checkpoints.add(answer.text);
}
