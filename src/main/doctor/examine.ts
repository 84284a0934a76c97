import { setTimeout as wait } from 'node:timers/promises';
import { faultLine } from '../../adapters/store/engine/fault-line.ts';
import { ADDRESS_CHECKS } from './address-checks.ts';
import { CERTIFICATE_CHECK } from './certificate-check.ts';
import { CHAIN_CHECKS } from './chain-checks.ts';
import { CLOCK_CHECK } from './clock-check.ts';
import type { Check, DoctorParts } from './doctor-parts.ts';
import { DISK_CHECK, MODES_CHECK } from './files-checks.ts';
import { type Finding, failure, type Verdict } from './finding.ts';
import { logChecks } from './log-checks.ts';
import { METRICS_CHECK } from './metrics-check.ts';
import { PAYMENT_CHECKS } from './payment-checks.ts';
import { REPLICA_CHECK } from './replica-check.ts';
import { STORE_CHECKS } from './store-checks.ts';
import { vantageChecks } from './vantage-checks.ts';

const CHECK_MS = 5_000;

/** All checks at the same time, each bounded; one that throws is a failure like any other. */
export async function examine(parts: DoctorParts, checkMs: number = CHECK_MS): Promise<readonly Finding[]> {
  // Before the store is opened, which makes its files private.
  const modes = await run(MODES_CHECK, parts, checkMs);
  const checks: readonly Check[] = [
    ...STORE_CHECKS,
    REPLICA_CHECK,
    DISK_CHECK,
    CLOCK_CHECK,
    ...PAYMENT_CHECKS,
    ...CHAIN_CHECKS,
    ...ADDRESS_CHECKS,
    CERTIFICATE_CHECK,
    ...logChecks(parts.config),
    ...vantageChecks(parts.config),
    METRICS_CHECK,
  ];
  return [modes, ...(await Promise.all(checks.map((check) => run(check, parts, checkMs))))];
}

async function run({ name, look }: Check, parts: DoctorParts, checkMs: number): Promise<Finding> {
  const over = new AbortController();
  const late = wait(checkMs, null, { signal: over.signal }).then(
    (): Verdict =>
      failure(`no result within ${checkMs / 1_000} s`, 'check what it connects to, and run it again'),
  );
  // Aborted below once the check has answered.
  late.catch(() => {});
  try {
    return { name, ...(await Promise.race([look(parts), late])) };
  } catch (fault) {
    return {
      name,
      ...failure(`cannot be checked: ${faultLine(fault)}`, 'report this: a check must not fail'),
    };
  } finally {
    over.abort();
  }
}
