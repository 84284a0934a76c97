import { encodeEventTopics, numberToHex, pad, parseAbi } from 'viem';
import { readPayment } from '../../../../src/core/x402/payment-payload.ts';
import { type PurchaseState, UNSPENT_STATES } from '../../../../src/guard/ledger/purchase.ts';
import { sqliteLedger } from '../../../../src/guard/ledger/sqlite-ledger.ts';
import { USDC } from '../../../../tools/signed-payment.ts';
import type { GuardingWorld } from '../guarding-world.ts';
import type { Stall } from '../sellers/hostile-seller.ts';
import { buyInProcess, type Death } from './dying-buyers.ts';

export interface Crashing {
  readonly stall: Stall;
  readonly death: Death;
  /** Of the ledger. */
  readonly file: string;
}

/** What the ledger and the chain say about one purchase. */
export interface Standing {
  /** Newest first. */
  readonly states: readonly PurchaseState[];
  /** Millionths of a dollar that the limits count. */
  readonly counted: bigint;
  /** Payments to this stall that the token contract has taken. */
  readonly paid: number;
}

export interface Crashed {
  readonly signal: NodeJS.Signals | null;
  readonly left: Standing;
  /** Of two tries of the next process. */
  readonly ends: readonly string[];
  readonly finally: Standing;
}

/** Processes that run at once. */
const WIDTH = 3;

/** One process for each crash, each on a ledger of its own; then one process that makes all the same requests again, twice each. */
export async function crashAll(
  world: GuardingWorld,
  crashes: readonly Crashing[],
): Promise<readonly Crashed[]> {
  const { key } = world.buyer;
  const died = await inTurns(crashes, ({ stall, file, death }) =>
    buyInProcess(key, [{ url: stall.url, file, tries: 1 }], death),
  );
  const left = await standingsOf(world, crashes);
  const again = crashes.map(({ stall, file }) => ({ url: stall.url, file, tries: 2 }));
  const { ends } = await buyInProcess(key, again, null);
  const end = await standingsOf(world, crashes);
  return left.map((standing, at) => ({
    signal: died[at]?.signal ?? null,
    left: standing,
    ends: ends[at] ?? [],
    finally: end[at] ?? standing,
  }));
}

async function inTurns<In, Out>(
  all: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < all.length; at += WIDTH) {
    results.push(...(await Promise.all(all.slice(at, at + WIDTH).map(work))));
  }
  return results;
}

async function standingsOf(world: GuardingWorld, crashes: readonly Crashing[]): Promise<readonly Standing[]> {
  const used = await usedNonces(world);
  return Promise.all(crashes.map((crash) => standingOf(crash, used)));
}

async function standingOf({ stall, file }: Crashing, used: ReadonlySet<string>): Promise<Standing> {
  const ledger = sqliteLedger(file);
  const purchases = await ledger.find({});
  await ledger.close();
  const counted = purchases.filter(({ state }) => !UNSPENT.has(state));
  const nonces = new Set(stall.seen.payments.map(nonceOf));
  return {
    states: purchases.map(({ state }) => state),
    counted: counted.reduce((sum, { amount }) => sum + amount, 0n),
    paid: [...nonces].filter((nonce) => used.has(nonce)).length,
  };
}

const UNSPENT: ReadonlySet<PurchaseState> = new Set(UNSPENT_STATES);

function nonceOf(header: string): string {
  const reading = readPayment({ paymentSignature: header, xPayment: null });
  if (reading.kind !== 'payment') throw new Error('the seller got something that is no payment');
  return reading.payment.authorization.nonce.toLowerCase();
}

const TOKEN = parseAbi(['event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)']);
const [USED] = encodeEventTopics({ abi: TOKEN, eventName: 'AuthorizationUsed' });

async function usedNonces({ chain, buyer }: GuardingWorld): Promise<ReadonlySet<string>> {
  const topics = [USED, pad(buyer.address)];
  const filter = { address: USDC, topics, fromBlock: numberToHex(0n), toBlock: 'latest' };
  // eth_getLogs answers a list of logs, or `ask` throws.
  const logs = (await chain.ask('eth_getLogs', [filter])) as { readonly topics: readonly string[] }[];
  return new Set(logs.map((log) => (log.topics[2] ?? '').toLowerCase()));
}
