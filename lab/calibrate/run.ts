import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { projectFile } from '../../tools/project-file.ts';
import { CORPUS } from './corpus.ts';
import { withGenerated } from './document.ts';
import { measureAccuracy, violationsIn } from './measure-accuracy.ts';
import { accuracyTables } from './show-accuracy.ts';

/** `npm run calibrate [-- --write]`: see docs/accuracy.md. Ends with 1 when a bound is broken. */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const started = performance.now();
const judged = await measureAccuracy(CORPUS);
const tables = accuracyTables(judged);
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
console.log(tables);
process.stderr.write(`calibrate: ${CORPUS.length} behaviours, ${judged.length} runs, ${seconds} s\n`);
for (const violation of violationsIn(judged)) {
  process.stderr.write(`calibrate: ${violation}\n`);
  process.exitCode = 1;
}
if (values.write) {
  const file = projectFile('docs/accuracy.md');
  writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), tables));
}
