import { GuardRefused, type RefusalCode } from '../../../../src/guard/guard-refused.ts';
import type { GuardingWorld } from '../guarding-world.ts';
import type { End, Outcome } from '../money-rows.ts';
import type { SellerName } from '../sellers/seller-scripts.ts';
import { countingWallet, PAYERS, type PayerName } from './stock-payers.ts';

export interface Measuring {
  readonly seller: SellerName;
  readonly payer: PayerName;
  readonly tries: number;
  /** Below the payer: the bare one, or the guard's. */
  readonly fetch: typeof globalThis.fetch;
}

/** A caller tries to buy until it has its goods; then the balances are compared. */
export async function measurePurchase(
  world: GuardingWorld,
  { seller, payer, tries, fetch }: Measuring,
): Promise<Outcome> {
  const stall = world.open(seller);
  const thief = world.thiefSaw();
  const leakedBefore = thief.payments.length;
  const { account, signatures } = countingWallet(world.buyer.key);
  const pay = PAYERS[payer].pays(fetch, account);
  const { result, payments, toSeller, toThief } = await world.moved(async () => {
    const ends: End[] = [];
    while (ends.length < tries) {
      const { end, hasGoods } = await tryOnce(pay, stall.url);
      ends.push(end);
      if (hasGoods) break;
    }
    return ends;
  });
  const leaked = thief.payments.length - leakedBefore;
  return {
    ends: result,
    ...{ payments, toSeller, toThief, leaked },
    signatures: signatures(),
    seconds: Math.max(stall.seen.seconds, leaked === 0 ? 0 : thief.seconds),
  };
}

async function tryOnce(
  pay: typeof globalThis.fetch,
  url: string,
): Promise<{ readonly end: End; readonly hasGoods: boolean }> {
  try {
    const answer = await pay(url);
    const body = await answer.text();
    return { end: answer.status, hasGoods: answer.status === 200 && body !== '' };
  } catch (error) {
    return { end: refusalIn(error) ?? 'thrown', hasGoods: false };
  }
}

const CAUSES_MAX = 5;

/** The code of the guard's refusal; payers wrap the errors of their fetch. */
export function refusalIn(error: unknown): RefusalCode | null {
  let one = error;
  for (let depth = 0; depth < CAUSES_MAX && one instanceof Error; depth += 1) {
    if (one instanceof GuardRefused) return one.code;
    one = one.cause;
  }
  return null;
}
