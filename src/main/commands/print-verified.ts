import type { Service } from '../../core/catalog/read-catalog.ts';
import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import type { Verified } from '../../flows/verify/verify-service.ts';
import type { Spent } from '../../ports/paid-calls.ts';

/** Where a command speaks. */
export interface Voice {
  /** For people, on standard error; for machines, on standard output. */
  readonly say: (line: string) => void;
  readonly tell: (value: object) => void;
  /** Says why it ends, and is the exit code of it. */
  readonly fail: (reason: string) => 1;
}

interface Setting {
  readonly json: boolean;
  readonly total: number;
  readonly balance: MicroUsd | null;
  readonly address: string | null;
}

/** One line for each service as it is done, and a last one for the round. */
export function sayVerified(voice: Voice, { json, total, balance, address }: Setting) {
  const counts = { done: 0, paid: 0, passed: 0 };
  if (json) voice.tell({ event: 'start', services: total, buyer: address, balance_usd: usd(balance) });
  else if (address !== null) voice.say(`paying from ${address}, ${usd(balance)} USDC left`);
  return {
    verified(service: Service, verified: Verified): void {
      counts.done += 1;
      if (verified.kind === 'paid') counts.paid += 1;
      if (verified.kind === 'paid' && verified.call.quality === 'pass') counts.passed += 1;
      if (json) voice.tell({ event: 'service', id: service.id, ...verifiedJson(verified) });
      else
        voice.say(
          `${String(counts.done).padStart(3)}/${total}  ${service.id.padEnd(28)} ${wordsFor(verified)}`,
        );
    },
    round({ day, total: all }: Spent): void {
      const spent = { day_usd: formatUsd(day), total_usd: formatUsd(all) };
      if (json) voice.tell({ event: 'round', ...counts, spent });
      else if (counts.done > 0) {
        voice.say(
          `${counts.done} looked at, ${counts.paid} paid, ${counts.passed} passed; spent ${spent.day_usd} USD today, ${spent.total_usd} USD in all`,
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
      return 'paid, but the chain has not decided yet';
    case 'capped':
      return `stopped by the ${verified.by === 'day_cap' ? 'cap of the day' : 'cap of all days'}`;
  }
}
