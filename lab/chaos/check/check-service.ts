import type { Evidence } from '../evidence.ts';
import { groupBy } from '../group-by.ts';
import type { RequestNote } from '../journal.ts';
import { type Violation, violation } from './violation.ts';

/** Everything but the money. */
export function checkService(evidence: Evidence): Violation[] {
  return [
    ...lostReceipts(evidence),
    ...freeUses(evidence),
    ...sellersSaw(evidence),
    ...runsInPart(evidence),
    ...faultsOfOurs(evidence),
    ...leaks(evidence),
    ...slowOnes(evidence),
    ...heldOnes(evidence),
    ...runnersBooks(evidence),
  ];
}

function lostReceipts({ receipts }: Evidence): Violation[] {
  const first = new Map<string, string>();
  return receipts.flatMap((reading) => {
    if (reading.status !== 200) {
      const { id, replica, status } = reading;
      return [violation('a receipt that was acknowledged is not served', { id, replica, status })];
    }
    const text = first.get(reading.id) ?? reading.text;
    first.set(reading.id, text);
    return text === reading.text ? [] : [violation('two replicas serve another receipt', reading)];
  });
}

/** No more than the day's share, and nobody gets a use back that was acknowledged. */
function freeUses({ journal, bounds }: Evidence): Violation[] {
  const days = groupBy(
    journal.freeUses.filter(({ day }) => day !== null),
    ({ kind, caller, day }) => `${kind} of caller ${caller} on ${day}`,
  );
  return [...days].flatMap(([whose, uses]) => {
    const [first] = uses;
    const share = first === undefined ? 0 : bounds.freePerDay[first.kind];
    if (uses.length > share)
      return [violation('more free uses than the day has', { whose, uses: uses.length, share })];
    const left = uses.toSorted((one, other) => one.at - other.at).map(({ remaining }) => remaining);
    const isFalling = left.every((now, index) => {
      const before = left[index - 1];
      return now === null || before === null || before === undefined || now < before;
    });
    return isFalling ? [] : [violation('a free use that was acknowledged is lost', { whose, left })];
  });
}

/** All but the runner, which is at one service at a time and pays it. */
const PROBER = /\((?:replica-\d+|crawler) \d+\)/;
/** The other side of a connection hears of its end a little later. */
const HEARS_LATE_MS = 250;
/** One that came and went within a millisecond was there all the same. */
const LEAST_MS = 0.5;

function sellersSaw({ seen, bounds }: Evidence): Violation[] {
  const ours = seen.filter(({ agent }) => PROBER.test(agent));
  const paid = ours
    .filter(({ hasPayment }) => hasPayment)
    .map((request) => violation('the service sent a payment to a target', request));
  const many = [...groupBy(ours, ({ host }) => host)].flatMap(([host, requests]) => {
    const most = mostAtOnce(requests);
    const limit = bounds.perHost;
    return most > limit ? [violation('too many requests to one host at a time', { host, most, limit })] : [];
  });
  return [...paid, ...many];
}

function mostAtOnce(requests: Evidence['seen']): number {
  const moments = requests.flatMap(({ startedAt, endedAt, answered }) => {
    const seenUntil = answered ? (endedAt ?? 0) : (endedAt ?? 0) - HEARS_LATE_MS;
    const end = Math.max(startedAt + LEAST_MS, seenUntil);
    return [
      { at: startedAt, change: 1 },
      { at: end, change: -1 },
    ];
  });
  // What ends and what begins in the same millisecond never met.
  moments.sort((one, other) => one.at - other.at || one.change - other.change);
  let [now, most] = [0, 0];
  for (const { change } of moments) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

function runsInPart({ runs, listed }: Evidence): Violation[] {
  return runs
    .filter(({ receipts }) => receipts !== listed)
    .map((run) => violation('a run was published in part', { ...run, listed }));
}

function faultsOfOurs({ journal, bounds }: Evidence): Violation[] {
  const isCovered = (request: RequestNote) =>
    journal.faults.some(
      ({ startedAt, endedAt }) =>
        request.endedAt >= startedAt &&
        (endedAt === null || request.startedAt <= endedAt + bounds.afterFaultMs),
    );
  const answers = journal.requests.flatMap((request) => {
    const { status } = request;
    if (status === null) {
      return isCovered(request)
        ? []
        : [violation('a request got no answer, and there was no fault', request)];
    }
    if (status < 500) return [];
    if (status !== 503) return [violation('an answer of 5xx that is not 503', request)];
    return isCovered(request) ? [] : [violation('a 503 without a fault', request)];
  });
  const falls = journal.falls.map((fall) => violation('a process ended by itself', { fall }));
  return [...answers, ...falls];
}

function leaks({ taken, bounds }: Evidence): Violation[] {
  return taken.flatMap(({ name, before, after }) => [
    ...(after.rssBytes > before.rssBytes + bounds.moreRssBytes
      ? [violation('memory did not come back', { name, before, after })]
      : []),
    ...(after.openFiles > before.openFiles + bounds.moreFiles
      ? [violation('open files did not come back', { name, before, after })]
      : []),
  ]);
}

function slowOnes({ journal }: Evidence): Violation[] {
  return journal.slow
    .filter(({ opened, cut }) => cut < opened)
    .map((slow) => violation('a client that takes for ever was not let go', slow));
}

/** As many as are promised, and everybody else is answered meanwhile. */
function heldOnes({ held, journal }: Evidence): Violation[] {
  if (held === null) return [];
  const few =
    held.most < held.wanted ? [violation('fewer connections were held than there should be', held)] : [];
  const { startedAt, endedAt } = held.calm;
  const silent = [...groupBy(journal.requests, ({ replica }) => replica)]
    .filter(([, requests]) =>
      requests.every(
        (request) =>
          request.startedAt < startedAt ||
          request.endedAt > endedAt ||
          request.status === null ||
          request.status >= 500,
      ),
    )
    .map(([replica]) => violation('nobody was answered while connections were held', { replica, ...held }));
  return [...few, ...silent];
}

function runnersBooks({ runner, transfers }: Evidence): Violation[] {
  if (runner === null) return [];
  const moved = transfers
    .filter(({ from }) => from.toLowerCase() === runner.payer.toLowerCase())
    .reduce((sum, { value }) => sum + value, 0n);
  const wrong =
    moved === runner.spent
      ? []
      : [violation('the runner spent another sum than it says', { ...runner, moved })];
  return runner.open === 0 ? wrong : [...wrong, violation('the runner has calls without an end', runner)];
}
