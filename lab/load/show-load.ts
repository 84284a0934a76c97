import { printTable } from '../../tools/measure.ts';
import { COUNT_MIN, GROWTH_MAX, TAIL_MAX } from './check.ts';
import type { PhaseReport, Times } from './generator.ts';
import type { LoadResult } from './measure-load.ts';

const ms = (micros: number) => (micros / 1_000).toFixed(1);
const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

/** For people: what was offered, what came, and what it took. */
export function showLoad(result: LoadResult, violations: readonly string[]): void {
  const { capacityPerSecond, perSecond, evidence, cores } = result;
  const { steady, growth, clients, transfers } = evidence;
  const capacity =
    capacityPerSecond === null
      ? ''
      : `, ${(perSecond / capacityPerSecond).toFixed(2)} of ${capacityPerSecond.toFixed(0)}`;
  console.log(
    `\n${steady.all.count} requests in ${steady.seconds.toFixed(0)} s, ${perSecond.toFixed(0)} a second offered${capacity}`,
  );
  console.log('times in ms from the moment a request was due; over 10 in the last column breaks the bound\n');
  printTable(
    ['operation', 'count', 'p50', 'p99', 'max', 'p99/p50'],
    [...Object.entries(steady.rows).sort(byCount), ...together(steady)].map(([name, times]) => [
      name,
      ...timesCells(times),
    ]),
  );
  console.log(
    `\nanswers: ${Object.entries(steady.statuses)
      .map(([status, n]) => `${n} x ${status}`)
      .join(', ')}`,
  );
  console.log(
    `the generator sent half of them within ${ms(steady.late.p50)} ms and 99 % within ${ms(steady.late.p99)} ms of their time\n`,
  );
  printTable(
    ['process', 'cores', 'RSS MB, least of first half', 'of second', 'ratio', 'by tenths', 'open files'],
    growth.map(({ name, firstBytes, lastBytes, ratio, course, openFiles }) => [
      name,
      (cores[name] ?? 0).toFixed(2),
      megabytes(firstBytes),
      megabytes(lastBytes),
      ratio.toFixed(3),
      course.map(megabytes).join(' '),
      String(openFiles),
    ]),
  );
  const { receipts, paid } = clients.journal;
  console.log(
    [
      '',
      `paid answers ${paid.answers}, transfers on the chain ${transfers.length}`,
      `receipts acknowledged ${receipts.acknowledged}, served again ${receipts.read}`,
      ...Object.entries(clients.allowances).map(
        ([name, { callers, wrong }]) => `${name}: ${callers} callers, ${wrong} with a wrong share`,
      ),
      `probes that sellers saw: ${evidence.seen.requests.length}`,
      `bounds: p99 < ${TAIL_MAX} x p50 for each operation with ${COUNT_MIN} answers and over all, with and without purchases, ${
        evidence.judgesGrowth
          ? `RSS of replicas and PostgreSQL < ${GROWTH_MAX}`
          : 'RSS not judged after so few answers'
      }, no 5xx, nothing unexpected`,
      '',
      ...(violations.length === 0
        ? ['everything held']
        : ['VIOLATED:', ...violations.map((line) => `  ${line}`)]),
    ].join('\n'),
  );
}

function together({ own, all }: PhaseReport): [string, Times][] {
  return [
    ['all but purchases', own],
    ['all operations', all],
  ];
}

function byCount([, left]: [string, Times], [, right]: [string, Times]): number {
  return right.count - left.count;
}

function timesCells({ count, p50, p99, max }: Times): string[] {
  return [String(count), ms(p50), ms(p99), ms(max), (p99 / p50).toFixed(1)];
}
