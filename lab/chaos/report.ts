import { median } from '../../tools/measure.ts';
import type { Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';
import type { FaultNote, PurchaseNote, RequestNote } from './journal.ts';
import type { ChaosResult } from './run-chaos.ts';
import { killsIn } from './schedule.ts';

/** What happened, for people and for programs. */
export interface ChaosReport {
  readonly seconds: number;
  readonly reconciled_seconds: number;
  readonly kills: number;
  readonly kills_by_step: Readonly<Record<string, number>>;
  readonly faults: readonly FaultRow[];
  readonly requests: Readonly<Record<string, number>>;
  /** By the code of the problem, of those that are not 2xx. */
  readonly problems: Readonly<Record<string, number>>;
  readonly purchases: Readonly<Record<string, number>>;
  /** Those of them that were calls of a tool. */
  readonly purchases_over_mcp: Readonly<Record<string, number>>;
  readonly transfers: number;
  /** Those that do nothing. */
  readonly connections: Readonly<Record<string, number>>;
  readonly free_uses: number;
  readonly receipts: number;
  readonly log: Readonly<Record<string, number>>;
  readonly runs_published: number;
  readonly probes_seen: number;
  readonly disk_full: string;
  readonly violations: readonly { readonly rule: string; readonly evidence: string }[];
}

interface FaultRow {
  readonly fault: string;
  readonly times: number;
  /** Until the first good answer after it began; null when none of them was followed by one. */
  readonly median_ms: number | null;
  readonly worst_ms: number | null;
}

export function reportOf({ evidence, violations, lastedMs, reconciledMs, disk }: ChaosResult): ChaosReport {
  const { journal, transfers, payTo, runs, seen } = evidence;
  const { faults, requests } = journal;
  const steps = faults.flatMap(({ step }) => (step === undefined ? [] : [step]));
  return {
    seconds: Math.round(lastedMs / 1_000),
    reconciled_seconds: Math.round(reconciledMs / 1_000),
    kills: killsIn(faults),
    kills_by_step: counts(steps),
    faults: [...groupBy(faults, ({ name }) => name)].map(([name, notes]) => faultRow(name, notes, requests)),
    requests: counts(requests.map(({ status }) => (status === null ? 'no answer' : classOf(status)))),
    problems: counts(requests.flatMap(({ status, code }) => (code === null ? [] : [`${status} ${code}`]))),
    purchases: purchasesOf(evidence, journal.purchases),
    purchases_over_mcp: purchasesOf(
      evidence,
      journal.purchases.filter(({ way }) => way === 'mcp'),
    ),
    transfers: transfers.filter(({ to }) => to.toLowerCase() === payTo.toLowerCase()).length,
    connections: connectionsOf(evidence),
    free_uses: journal.freeUses.length,
    receipts: journal.receipts.size,
    log: {
      entries: evidence.log?.size ?? 0,
      'checkpoints compared': journal.checkpoints.size,
      'promises compared': journal.promised.size,
    },
    runs_published: runs.length,
    probes_seen: seen.length,
    disk_full: disk ? 'a memory disk of 64 MB, filled up' : 'not tried',
    violations,
  };
}

const classOf = (status: number) => (status === 503 ? '503' : `${Math.floor(status / 100)}xx`);

function counts(values: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]),
  );
}

function purchasesOf({ lateAnswers }: Evidence, purchases: readonly PurchaseNote[]): Record<string, number> {
  return counts(
    purchases.map(({ payments }) => {
      const said = payments.flatMap((payment) => [
        ...payment.said,
        lateAnswers.get(payment.signed.nonce) ?? null,
      ]);
      if (payments.length === 0) return 'not signed';
      if (said.every((one) => one?.isPaid !== true)) return 'not charged';
      return payments.some((payment) => payment.said.length > 1) ? 'paid after trouble' : 'paid at once';
    }),
  );
}

function connectionsOf({ held }: Evidence): Record<string, number> {
  if (held === null) return {};
  const { wanted, most, calm, opened } = held;
  return {
    wanted,
    'held at most': most,
    'in the median': held.median,
    'in the median before the trouble': calm.median,
    'for seconds': Math.round((calm.endedAt - calm.startedAt) / 1_000),
    'opened in ms': calm.openedMs,
    'opened over all': opened,
    'bytes each': Math.round(calm.bytesEach),
  };
}

function faultRow(fault: string, notes: readonly FaultNote[], requests: readonly RequestNote[]): FaultRow {
  const times = notes.map((note) => recovery(note, requests)).filter((time) => time !== null);
  return {
    fault,
    times: notes.length,
    median_ms: times.length === 0 ? null : median(times),
    worst_ms: times.length === 0 ? null : Math.max(...times),
  };
}

/** The first good answer to a question that was asked after the fault began. */
function recovery({ startedAt, replica, over }: FaultNote, requests: readonly RequestNote[]): number | null {
  const good = requests.filter(
    (request) =>
      request.startedAt >= startedAt &&
      request.status !== null &&
      request.status < 500 &&
      (replica === null || request.replica === replica) &&
      (over === 'answer' || request.what === (over === 'paid' ? 'purchase' : 'lookup')) &&
      (over !== 'paid' || request.status === 200),
  );
  const first = good.reduce((least, { endedAt }) => Math.min(least, endedAt), Number.POSITIVE_INFINITY);
  return Number.isFinite(first) ? first - startedAt : null;
}
