import { parseArgs } from 'node:util';
import { stopSignal } from '../../src/main/commands/stop-signal.ts';
import { printTable } from '../../tools/measure.ts';
import { type ChaosReport, reportOf } from './report.ts';
import { runChaos } from './run-chaos.ts';
import { SLOW_KINDS } from './slow-clients.ts';

/** `npm run chaos -- [--minutes 5] [--seed n] [--store postgres|sqlite] [--kills 100] [--json]`; docs/chaos.md says more. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'postgres' },
    kills: { type: 'string', default: '100' },
    lanes: { type: 'string', default: '12' },
    idle: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
});
const numbers = [values.minutes, values.seed, values.kills, values.lanes, values.idle].map(Number);
const [minutes = 0, seed = 0, kills = 0, lanes = 0, idle = 0] = numbers;
if (numbers.some((number) => !(number >= 0)) || (values.store !== 'postgres' && values.store !== 'sqlite')) {
  console.error(
    'usage: npm run chaos -- [--minutes 5] [--seed n] [--store postgres|sqlite] [--kills 100] [--json]',
  );
  process.exit(2);
}
const { store } = values;
const say = (text: string) => console.error(text);
say(`chaos on ${store}, seed ${seed}: ${kills} kills in ${minutes} minutes or as long as they take`);
const result = await runChaos({
  store,
  seed,
  kills,
  minutes,
  lanes,
  idle,
  slow: SLOW_KINDS,
  workers: true,
  say,
  stop: stopSignal(),
});
const report = reportOf(result);
if (values.json) console.log(JSON.stringify(report));
else print(report);
// Sockets of slow clients may linger; there is nothing left to wait for.
process.exit(report.violations.length === 0 ? 0 : 1);

function print({ faults, violations, ...rest }: ChaosReport): void {
  printTable(
    ['fault', 'times', 'first good answer, median ms', 'worst ms'],
    faults.map(({ fault, times, median_ms, worst_ms }) => [fault, times, median_ms, worst_ms].map(String)),
  );
  for (const [name, value] of Object.entries(rest)) {
    const text =
      typeof value === 'object'
        ? Object.entries(value)
            .map((pair) => pair.join(' '))
            .join(', ')
        : value;
    console.log(`${name.replaceAll('_', ' ')}: ${text}`);
  }
  console.log(violations.length === 0 ? 'no violations' : `${violations.length} VIOLATIONS`);
  for (const { rule, evidence } of violations) console.log(`- ${rule}\n  ${evidence}`);
}
