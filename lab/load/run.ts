import { violationsIn } from './check.ts';
import { type LoadResult, measureLoad } from './measure-load.ts';
import { type LoadOptions, readOptions } from './options.ts';
import { showLoad } from './show-load.ts';

/** `npm run load`: see docs/load.md. */
const reading = readOptions(process.argv.slice(2));
if (reading.kind === 'invalid') {
  process.stderr.write(`load: ${reading.problem}\n`);
  process.exitCode = 2;
} else {
  await run(reading.options);
}

async function run(options: LoadOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const say = (line: string) => process.stderr.write(`load: ${line}\n`);
  try {
    tell(options, await measureLoad(options, say, stop.signal));
  } catch (fault) {
    if (!stop.signal.aborted) throw fault;
    say('stopped');
    process.exitCode = 130;
  }
}

function tell({ json }: LoadOptions, result: LoadResult): void {
  const violations = violationsIn(result.evidence);
  if (violations.length > 0) process.exitCode = 1;
  if (json) process.stdout.write(`${JSON.stringify(shortened(result, violations))}\n`);
  else showLoad(result, violations);
}

/** Without the lists of everything that sellers and the chain saw. */
function shortened(result: LoadResult, violations: readonly string[]): object {
  const { seen, transfers, ...evidence } = result.evidence;
  const counts = { probes: seen.requests.length, transfers: transfers.length };
  return { ...result, evidence: { ...evidence, ...counts }, violations };
}
