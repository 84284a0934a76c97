import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotation, summaryOf } from './runner-text.mjs';

/** The step of the action: lints once, and tells the runner in its own ways what was found. */
const { env } = process;
const temporary = env.RUNNER_TEMP ?? tmpdir();
const program =
  env.ASSAY_PROGRAM ?? join(temporary, 'assay-lint', 'node_modules', 'assay', 'dist', 'main', 'assay.js');
const sarif = join(mkdtempSync(join(temporary, 'assay-lint-')), 'lint.sarif');

/** Each value is one argument behind its option, so that none can be taken for another option. */
const OPTIONS = {
  INPUT_METHOD: '--method',
  INPUT_PRICE: '--price',
  INPUT_PAYEE: '--payee',
  INPUT_NETWORK: '--network',
  INPUT_INPUT: '--input',
  INPUT_FAIL_ON: '--fail-on',
};
const given = Object.entries(OPTIONS).flatMap(([name, option]) => {
  const value = env[name] ?? '';
  return value === '' ? [] : [`${option}=${value}`];
});
const LOCAL = { '': [], false: [], true: ['--allow-local'] };
const { status, stderr } = lint((env.INPUT_ALLOW_LOCAL ?? '').trim().toLowerCase());

const report = existsSync(sarif) ? JSON.parse(readFileSync(sarif, 'utf8')).runs[0] : null;
const lines =
  report === null
    ? [annotation('error', 'assay lint', stderr?.trim() || 'the command line did not start')]
    : report.results.map(({ level, ruleId, message }) =>
        annotation(level, `assay lint: ${ruleId}`, message.text),
      );
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
append(env.GITHUB_STEP_SUMMARY, summaryOf(report, stderr ?? ''));
const { verdict = '', errors = '', warnings = '' } = report?.properties ?? {};
const outputs = { verdict, errors, warnings, sarif: report === null ? '' : sarif };
append(
  env.GITHUB_OUTPUT,
  Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
);
process.exitCode = status ?? 1;

/** A value such as yes must not pass for no: the step would fail with a reason that hides the typing error. */
function lint(allowLocal) {
  if (!Object.hasOwn(LOCAL, allowLocal))
    return { status: 2, stderr: 'assay lint: the input allow-local must be true or false' };
  const fixed = ['--format=sarif', `--output=${sarif}`, '--', env.INPUT_URL ?? ''];
  const argv = ['lint', ...given, ...LOCAL[allowLocal], ...fixed];
  return spawnSync(process.execPath, [program, ...argv], { encoding: 'utf8' });
}

function append(file, text) {
  if (file) appendFileSync(file, text);
}
