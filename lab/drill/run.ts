import { parseArgs } from 'node:util';
import { printTable } from '../../tools/measure.ts';
import { runDrill } from './run-drill.ts';

/** `npm run drill -- [--only "one replica"] [--json]`; docs/production.md says more. */
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, json: { type: 'boolean', default: false } },
});
try {
  const startedAt = performance.now();
  const say = (line: string) => console.error(line);
  const result = await runDrill({ say, ...(values.only === undefined ? {} : { only: values.only }) });
  const { rows, violations, requests, transfers, receipts } = result;
  if (values.json) console.log(JSON.stringify(result));
  else {
    printTable(
      ['part', 'alarm', 'step', 's to alarm', 's to recovery', 'lost'],
      rows.map(({ part, alarm, step, alarmSeconds, recoverySeconds, lost }) => [
        part,
        alarm,
        step,
        alarmSeconds.toFixed(1),
        recoverySeconds.toFixed(1),
        String(lost),
      ]),
    );
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(`${requests} requests, ${transfers} transfers, ${receipts} receipts, ${seconds} s`);
    console.log(violations.length === 0 ? 'no violations' : `${violations.length} VIOLATIONS`);
    for (const { rule, evidence } of violations) console.log(`- ${rule}\n  ${evidence}`);
  }
  process.exitCode = violations.length === 0 && rows.every(({ lost }) => lost === 0) ? 0 : 1;
} catch (fault) {
  console.error(`drill: ${fault instanceof Error ? fault.message : String(fault)}`);
  process.exitCode = 1;
}
// Sockets of callers may linger; there is nothing left to wait for.
process.exit();
