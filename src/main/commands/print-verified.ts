import type { Service } from '../../core/catalog/read-catalog.ts';
import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import type { Verified } from '../../flows/verify/verify-service.ts';
import type { Spent } from '../../ports/paid-calls.ts';
import type { Output } from './output.ts';

interface Setting {
  readonly json: boolean;
  readonly total: number;
  readonly balance: MicroUsd | null;
  readonly address: string | null;
}

/** One line per service, and a summary per round. */
export function printVerified(output: Output, { json, total, balance, address }: Setting) {
  const counts = { done: 0, paid: 0, passed: 0 };
  if (json) output.json({ event: 'start', services: total, buyer: address, balance_usd: usd(balance) });
  else if (address !== null) output.note(`paying from ${address}, ${usd(balance)} USDC left`);
  return {
    verified(service: Service, verified: Verified): void {
      counts.done += 1;
      if (verified.kind === 'paid') counts.paid += 1;
      if (verified.kind === 'paid' && verified.call.quality === 'pass') counts.passed += 1;
      if (json) output.json({ event: 'service', id: service.id, ...verifiedJson(verified) });
      else
        output.note(
          `${String(counts.done).padStart(3)}/${total}  ${service.id.padEnd(28)} ${wordsFor(verified)}`,
        );
    },
    round({ day, total: all }: Spent): void {
      const spent = { day_usd: formatUsd(day), total_usd: formatUsd(all) };
      if (json) output.json({ event: 'round', ...counts, spent });
      else if (counts.done > 0) {
        output.note(
          `${counts.done} checked, ${counts.paid} paid, ${counts.passed} passed; spent ${spent.day_usd} USD today, ${spent.total_usd} USD in total`,
        );
      }
      counts.done = 0;
      counts.paid = 0;
      counts.passed = 0;
    },
  };
}

function usd(amount: MicroUsd | null): string | null {
  return amount === null ? null : formatUsd(amount);
}

function verifiedJson(verified: Verified): object {
  switch (verified.kind) {
    case 'paid': {
      const { calledAt, tx, charged, payTo, delivered, quality, qualityReason, httpStatus, latencyMs } =
        verified.call;
      return {
        outcome: 'paid',
        time: calledAt.toISOString(),
        tx,
        charged_usd: usd(charged),
        pay_to: payTo,
        delivered,
        quality,
        reason: qualityReason,
        http_status: httpStatus,
        latency_ms: latencyMs,
      };
    }
    case 'would_pay':
      return {
        outcome: 'would_pay',
        price_usd: formatUsd(verified.terms.amountAtomic),
        pay_to: verified.terms.payTo,
      };
    case 'not_paid':
      return { outcome: 'not_paid', reason: verified.why };
    case 'open':
      return { outcome: 'open' };
    case 'capped':
      return { outcome: 'capped', reason: verified.by };
  }
}

function wordsFor(verified: Verified): string {
  switch (verified.kind) {
    case 'paid': {
      const { charged, delivered, quality, qualityReason, latencyMs } = verified.call;
      const money = charged === null ? 'not charged' : `${formatUsd(charged)} USD`;
      return `${money}, ${delivered ? 'delivered' : 'not delivered'}, ${quality}: ${qualityReason} (${latencyMs ?? 0} ms)`;
    }
    case 'would_pay':
      return `would pay ${formatUsd(verified.terms.amountAtomic)} USD`;
    case 'not_paid':
      return `not paid: ${verified.why}`;
    case 'open':
      return 'paid, settlement still open';
    case 'capped':
      return `stopped by the ${verified.by === 'day_cap' ? 'daily cap' : 'total cap'}`;
  }
}
