import { type MicroUsd, microUsd } from '../money/micro-usd.ts';
import type { ReadableChallenge } from '../x402/challenge.ts';
import { type Demand, mayBeUsdc } from '../x402/demand.ts';
import type { Mainnet } from '../x402/networks.ts';
import type { BadChallengeFault } from './verdict.ts';

/** What a client could sign instead of the approved payment (gap G95); null when nothing. */
export function otherDemand(
  { demands, hasMoreEntries }: ReadableChallenge,
  approved: MicroUsd,
  networks: readonly Mainnet[],
): BadChallengeFault | null {
  if (hasMoreEntries) return { kind: 'too_many_entries' };
  if (!hasOnePayee(demands, 'evm') || !hasOnePayee(demands, 'solana')) return { kind: 'other_payee' };
  const inUsdc = demands.filter((demand) => mayBeUsdc(demand, networks));
  const dearer = inUsdc.find(({ amountAtomic }) => amountAtomic === null || amountAtomic > approved);
  if (dearer !== undefined) {
    const { network, amountAtomic } = dearer;
    return { kind: 'dearer_entry', network, quoted: amountAtomic === null ? null : microUsd(amountAtomic) };
  }
  return inUsdc.some(({ transfer }) => transfer !== 'ordinary') ? { kind: 'odd_entry' } : null;
}

function hasOnePayee(demands: readonly Demand[], kind: Demand['chain']): boolean {
  const payees = new Set(
    demands
      .filter(({ chain }) => chain === kind)
      .map(({ payTo }) => (kind === 'evm' ? (payTo?.toLowerCase() ?? null) : payTo)),
  );
  return payees.size <= 1 && !payees.has(null);
}
