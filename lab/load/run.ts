import { violationsIn } from './check.ts';
import { measureLoad } from './measure-load.ts';
import { readOptions } from './options.ts';
import { showLoad } from './show-load.ts';

/** `npm run load`: see docs/load.md. */
const reading = readOptions(process.argv.slice(2));
if (reading.kind === 'invalid') {
  process.stderr.write(`load: ${reading.problem}\n`);
  process.exitCode = 2;
} else {
  const { options } = reading;
  const result = await measureLoad(options, (line) => process.stderr.write(`load: ${line}\n`));
  const violations = violationsIn(result.evidence);
  if (options.json) {
    const { seen, transfers, ...evidence } = result.evidence;
    const counts = { probes: seen.requests.length, transfers: transfers.length };
    process.stdout.write(
      `${JSON.stringify({ ...result, evidence: { ...evidence, ...counts }, violations })}\n`,
    );
  } else {
    showLoad(result, violations);
  }
  if (violations.length > 0) process.exitCode = 1;
}
