import { setTimeout as pause } from 'node:timers/promises';
import type { ChargeStep } from '../../../src/flows/pay/charge.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { paymentHeader, type SignedAuthorization, secondsFromNow } from '../../../tools/signed-payment.ts';
import { checkOf, LOOKUP_PAID, PACK } from '../asking.ts';
import type { Ask, Received, Sent } from '../running/running-service.ts';
import { type ChargingChild, chargingChild, type Surroundings } from './charging-child.ts';
import { signFor, withPayment } from './paying-buyer.ts';
import { buyerOf, takings } from './paying-chain.ts';

export interface Sale {
  readonly path: string;
  readonly price: bigint;
  /** The same as it is shown. */
  readonly usd: string;
}

export const LOOKUP_SALE: Sale = { path: `${LOOKUP_PAID}?task=weather`, price: 20_000n, usd: '0.02' };
export const CHECK_SALE: Sale = { path: checkOf('http://seller.example/dear'), price: 100_000n, usd: '0.1' };

/** Everything that is sold, and what it costs. */
export const SALES: readonly (readonly [what: string, sale: Sale])[] = [
  ['a lookup', LOOKUP_SALE],
  ['a check', CHECK_SALE],
  ['the pack', { path: PACK, price: 9_000_000n, usd: '9' }],
];

/** A claim is held for 30 seconds; a clock that is ahead of it spares a test the waiting. */
export const PAST_THE_CLAIM_MS = 31_000;

/** A paid request whose answer never came. */
export interface Order {
  readonly path: string;
  readonly sent: Sent;
  readonly signed: SignedAuthorization;
}

/** A row of the ledger, by the nonce that it is for. */
export interface LedgerRow {
  readonly nonce: string;
  readonly state: string;
  readonly tx: string | null;
}

export interface Crash {
  /** By what was ordered. */
  readonly orders: ReadonlyMap<string, Order>;
  /** How each of the requests ended for its buyer. */
  readonly heard: readonly string[];
  readonly ended: number | string;
  /** What it left of these payments, and how often the chain was moved. */
  readonly rows: readonly LedgerRow[];
  readonly moved: number;
}

/** Processes on one store, each of which takes over from one that was killed. */
export interface Relay {
  /** The one that is there now; the next one is started when the last has died. */
  current(): Promise<ChargingChild>;
  /** Sells one of each, to a buyer of its own, and is killed when all of them have come as far as this step. */
  crashAfter(step: ChargeStep): Promise<Crash>;
  end(): Promise<void>;
}

/** The clock of each is past the claims of the last. Starting is what takes time, so the next one loads meanwhile. */
export function startRelay(around: Surroundings, sellerPort: number): Relay {
  const { chain, place } = around;
  const state: { started: number; current: ChargingChild | null } = { started: 0, current: null };
  const load = () => {
    const aheadMs = state.started * PAST_THE_CLAIM_MS;
    state.started += 1;
    return chargingChild(around, { sellerPort, aheadMs });
  };
  let next = load();
  const current = async () => {
    if (state.current === null) {
      const child = next;
      next = load();
      await child.go();
      state.current = child;
    }
    return state.current;
  };
  return {
    current,
    async crashAfter(step) {
      const child = await current();
      const before = (await takings(chain)).length;
      const orders = new Map(await Promise.all(SALES.map((sale, index) => order(chain, child, sale, index))));
      await child.dieAfter(step, orders.size);
      const paid = [...orders.values()].map(({ path, sent }) => child.ask(path, sent));
      const asked = await Promise.allSettled(paid);
      const ended = await child.ended();
      state.current = null;
      return {
        orders,
        heard: asked.map((one) => (one.status === 'fulfilled' ? String(one.value.status) : 'nothing')),
        ended,
        rows: await ledgerRows(place, [...orders.values()]),
        moved: (await takings(chain)).length - before,
      };
    },
    async end() {
      const left = [next, ...(state.current === null ? [] : [state.current])];
      for (const child of left) child.signal('SIGKILL');
      await Promise.all(left.map((child) => child.ended()));
    },
  };
}

async function order(
  chain: LocalChain,
  { ask }: ChargingChild,
  [what, { path }]: (typeof SALES)[number],
  buyer: number,
): Promise<[what: string, order: Order]> {
  // The clock of the last process is minutes ahead.
  const signing = { validBefore: secondsFromNow(900) };
  const signed = await signFor(await ask(path), { buyer: buyerOf(chain, buyer), signing });
  return [what, { path, signed, sent: withPayment(paymentHeader(signed)) }];
}

/** What the ledger says of these orders, or of all. */
export async function ledgerRows(
  { ask }: Surroundings['place'],
  orders: readonly Pick<Order, 'signed'>[] | null = null,
): Promise<LedgerRow[]> {
  const wanted = orders?.map(({ signed }) => signed.authorization.nonce) ?? null;
  const rows = await ask('select key, state, tx from payments order by key');
  return rows
    .map(({ key, state, tx }) => ({
      nonce: String(key).split('|').at(-1) ?? '',
      state: String(state),
      tx: typeof tx === 'string' ? tx : null,
    }))
    .filter(({ nonce }) => wanted?.some((one) => one === nonce) ?? true);
}

const PATIENCE_MS = 30_000;

/** As a buyer does who is told to send the same payment again. */
export async function untilAnswered(ask: Ask, { path, sent }: Order): Promise<Received> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask(path, sent);
    if (answer.status !== 503 || Date.now() > giveUpAt) return answer;
    await pause(100);
  }
}

/** Until it is so, and no longer than this. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error('it has not come to that');
    await pause(20);
  }
}
