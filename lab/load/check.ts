import type { SeenRequest } from '../world/surroundings.ts';
import type { FinalReport, PhaseReport } from './generator.ts';
import type { Growth } from './resources.ts';

/** All that is known at the end, from the clients, the chain, the sellers and the database: not from the service's own word. */
export interface Evidence {
  /** The phase that was offered at a steady rate. */
  readonly steady: PhaseReport;
  /** Answers by status over all phases. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly clients: FinalReport;
  /** What reached the wallet of the service. */
  readonly transfers: readonly { readonly units: bigint }[];
  /** Payments of the ledger without an outcome. */
  readonly openPayments: number;
  readonly settledPayments: number;
  readonly seen: { readonly requests: readonly SeenRequest[]; readonly dropped: number };
  /** How often one URL may be probed in five minutes: by each process that does not know of the others' flights. */
  readonly probesPerUrl: number;
  readonly growth: readonly Growth[];
  /** Growth of memory says something only after many answers. */
  readonly judgesGrowth: boolean;
  /** Processes that ended by themselves, and faults that they logged. */
  readonly falls: readonly string[];
  readonly faults: readonly string[];
}

export const TAIL_MAX = 10;
export const GROWTH_MAX = 1.05;
/** Rows with fewer answers have no 99th percentile to speak of. */
export const COUNT_MIN = 200;
const REUSE_MS = 300_000;

/** What was promised and did not hold, each in a line with its evidence. */
export function violationsIn(evidence: Evidence): readonly string[] {
  return [
    ...moneyViolations(evidence),
    ...quotaViolations(evidence),
    ...sellerViolations(evidence),
    ...answerViolations(evidence),
    ...tailViolations(evidence),
    ...memoryViolations(evidence),
  ];
}

function moneyViolations({ clients, transfers, openPayments, settledPayments }: Evidence): string[] {
  const { answers, offered, charged } = clients.journal.paid;
  const moved = transfers.reduce((sum, { units }) => sum + units, 0n);
  return [
    ...(transfers.length === answers
      ? []
      : [`${transfers.length} transfers on the chain for ${answers} paid answers`]),
    ...(String(moved) === offered && charged === offered
      ? []
      : [`moved ${moved}, offered ${offered}, said to be charged ${charged}, in millionths of a dollar`]),
    ...(settledPayments === answers
      ? []
      : [`${settledPayments} settled in the ledger for ${answers} paid answers`]),
    ...(openPayments === 0 ? [] : [`${openPayments} payments of the ledger have no outcome`]),
  ];
}

function quotaViolations({ clients }: Evidence): string[] {
  return Object.entries(clients.allowances).flatMap(([name, { wrong, callers, examples }]) =>
    wrong === 0 ? [] : [`${name}: ${wrong} of ${callers} callers had another share: ${examples.join('; ')}`],
  );
}

function sellerViolations({ seen, probesPerUrl }: Evidence): string[] {
  const times = new Map<string, number[]>();
  for (const { host, target, startedAt } of seen.requests) {
    const name = `${host} ${target}`;
    times.set(name, [...(times.get(name) ?? []), startedAt]);
  }
  const often = [...times].filter(([, starts]) => {
    const inOrder = starts.toSorted((left, right) => left - right);
    return inOrder.some((at, n) => at - (inOrder[n - probesPerUrl] ?? Number.NEGATIVE_INFINITY) < REUSE_MS);
  });
  const paying = seen.requests.filter(({ hasPayment }) => hasPayment);
  return [
    ...(often.length === 0
      ? []
      : [
          `${often.length} URLs were probed more than ${probesPerUrl} times in five minutes: ${often[0]?.[0]}`,
        ]),
    ...(paying.length === 0 ? [] : [`${paying.length} probes carried a payment: ${paying[0]?.target}`]),
    ...(seen.dropped === 0 ? [] : [`${seen.dropped} requests to sellers were not looked at`]),
  ];
}

function answerViolations({ clients, statuses, steady, falls, faults }: Evidence): string[] {
  const { receipts, unexpected, examples } = clients.journal;
  const failed = Object.entries(statuses).filter(([status]) => Number(status) >= 500);
  return [
    ...(failed.length === 0
      ? []
      : [`answers of 5xx: ${failed.map(([code, n]) => `${n} x ${code}`).join(', ')}`]),
    ...(unexpected === 0 ? [] : [`${unexpected} answers that nobody expected: ${examples.join('\n    ')}`]),
    ...(receipts.missing === 0 && receipts.read === receipts.acknowledged
      ? []
      : [
          `of ${receipts.acknowledged} receipts ${receipts.read} were served and ${receipts.missing} were not`,
        ]),
    ...(steady.dropped === 0 ? [] : [`${steady.dropped} requests found no room to wait`]),
    ...falls,
    ...faults.map((fault) => `a fault of the service: ${fault}`),
  ];
}

/** Purchases wait for a chain, some forty times as long as the others take; without them it is the service alone that is judged. */
function tailViolations({ steady: { rows, own, all } }: Evidence): string[] {
  return Object.entries({ ...rows, 'all but purchases': own, 'all operations': all })
    .filter(([, { count, p50, p99 }]) => count >= COUNT_MIN && p99 >= TAIL_MAX * p50)
    .map(
      ([name, { p50, p99 }]) =>
        `${name}: p99 of ${p99} µs is ${(p99 / p50).toFixed(1)} times the p50 of ${p50} µs`,
    );
}

/** The chain keeps every block that was ever made; it and the sellers are other people's. */
const BOUNDED = /^(?:replica|postgres)/;

function memoryViolations({ growth, judgesGrowth }: Evidence): string[] {
  if (!judgesGrowth) return [];
  return growth
    .filter(({ name, ratio }) => BOUNDED.test(name) && !(ratio < GROWTH_MAX))
    .map(({ name, ratio }) => `${name} grew to ${ratio.toFixed(3)} of what it was in the first half`);
}
