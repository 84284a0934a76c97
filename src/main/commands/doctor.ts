import { setTimeout as wait } from 'node:timers/promises';
import { EXIT, type Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import { packageVersion } from '../build/runtime.ts';
import { SYSTEM } from '../build/system.ts';
import { readVerifyConfig } from '../config/verify-config.ts';
import { type DoctorParts, storeHandle } from '../doctor/doctor-parts.ts';
import { examine } from '../doctor/examine.ts';
import { type Finding, failure } from '../doctor/finding.ts';
import type { Output } from './output.ts';

/** A server that hangs must not keep the command. */
const CLOSE_MS = 1_000;

/** assay doctor: one line for each check. Tests bring an environment, a clock and a network. */
export async function runDoctor(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
  world: Partial<Pick<DoctorParts, 'fetch' | 'now' | 'authorities'>> = {},
): Promise<Outcome> {
  const findings = await look(environment, world);
  const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const [failures, warnings] = [count('failure'), count('warning')];
  if (given.has('--json')) output.json({ ok: failures === 0, failures, warnings, checks: findings });
  else output.print([...findings.map(lineOf), sumOf(failures, warnings)].join('\n'));
  return failures === 0 ? EXIT.done : EXIT.failed;
}

async function look(
  environment: NodeJS.ProcessEnv | undefined,
  world: Partial<DoctorParts>,
): Promise<readonly Finding[]> {
  const reading = readVerifyConfig(environment);
  if (reading.kind === 'invalid') {
    return [{ name: 'settings', ...failure(reading.problem, 'see docs/operations.md, Settings') }];
  }
  const { config } = reading;
  const store = storeHandle(config);
  try {
    const parts = { fetch, now: SYSTEM.now, version: packageVersion(), ...world, config, store: store.open };
    return await examine(parts);
  } finally {
    await Promise.race([store.close(), wait(CLOSE_MS, undefined, { ref: false })]);
  }
}

function sumOf(failures: number, warnings: number): string {
  return `${failures} ${failures === 1 ? 'failure' : 'failures'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}

const STATUS_CHARS = 7;
const NAME_CHARS = 21;

function lineOf({ name, status, says, fix }: Finding): string {
  const line = `${status.padEnd(STATUS_CHARS)}  ${name.padEnd(NAME_CHARS)}  ${says}`;
  return clean(fix === undefined ? line : `${line}; ${fix}`);
}

/** Some words come from a server or a file. */
function clean(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
