import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { Authorization, Payment } from '../../core/x402/payment-payload.ts';
import { isLongExpired } from '../../core/x402/payment-refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AuthorizationLog } from '../../ports/facilitator.ts';

/** The on-chain outcome of one of our payments, independent of the seller. Nulls: no money moved, and none can any more. */
export type OwnSettlement =
  | { readonly tx: string; readonly charged: MicroUsd }
  | { readonly tx: null; readonly charged: null };

/** Sellers settle shortly after they answer, blocks take two seconds, and most signatures expire after a minute or two. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 3_000, 4_000, 5_000, ...Array.from({ length: 14 }, () => 10_000)];

const NOTHING: OwnSettlement = { tx: null, charged: null };

/** Null while it is undecided: the signature can still be used. */
export async function findSettlement(
  { authorization }: Payment,
  log: AuthorizationLog,
  { wait }: Pick<Clock, 'wait'>,
): Promise<OwnSettlement | null> {
  for (const pause of PAUSES_MS) {
    if (pause > 0) await wait(pause);
    const settlement = await settlementNow(authorization, log);
    if (settlement !== null) return settlement;
  }
  return null;
}

export async function settlementNow(
  authorization: Authorization,
  log: AuthorizationLog,
): Promise<OwnSettlement | null> {
  const use = await log.useOf(authorization);
  if (use.kind === 'used') return { tx: use.tx, charged: microUsd(authorization.value) };
  if (use.kind === 'void') return NOTHING;
  return use.kind === 'unused' && isLongExpired(authorization, use.asOf) ? NOTHING : null;
}
