import { askHttpWitness } from '../../adapters/log/http-witness.ts';
import { fileLogMark } from '../../adapters/log/log-mark.ts';
import type { PolicyWitness } from '../../core/log/policy.ts';
import { cosignaturesOf } from '../../core/log/witness/cosignatures.ts';
import { stateOfLog } from '../../flows/log/log-state.ts';
import { askedWitness } from '../../flows/log/witness/asked-witness.ts';
import type { LogHead, LogStore } from '../../ports/log/transparency-log.ts';
import { LOG_FIX } from '../build/log-keeper.ts';
import { logKeysOf } from '../build/log-keys.ts';
import { readWitnesses } from '../build/log-witnesses.ts';
import type { VerifyConfig } from '../config/verify-config.ts';
import { type Check, type DoctorParts, knownSecret } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

const NO_LOG = off('no log yet: start the service once');
const NOT_KNOWN = warning('not known: the store or the secret cannot be read', 'see store and secret');

/** The log, and every witness that LOG_POLICY names. */
export function logChecks(config: VerifyConfig): readonly Check[] {
  return [{ name: 'log', look: lookAtLog }, ...witnessChecks(config)];
}

/** Null before the log has begun. */
async function currentHead(parts: DoctorParts): Promise<{ log: LogStore; head: LogHead | null } | null> {
  const opened = await parts.store().catch(() => null);
  const log = opened?.store.transparencyLog;
  if (log === undefined) return null;
  const head = await log.current().catch(() => undefined);
  return head === undefined ? null : { log, head };
}

/** A promise is for an hour; a process sequences once a second. */
const WAITING_MAX_MS = 60_000;

async function lookAtLog(parts: DoctorParts): Promise<Verdict> {
  const { transparency, dataDir } = parts.config;
  const read = await currentHead(parts);
  const secret = knownSecret(parts.config);
  if (read === null || secret === null) return NOT_KNOWN;
  const { log, head } = read;
  if (head === null) return NO_LOG;
  const { signersOf } = logKeysOf(transparency, secret);
  const state = await stateOfLog(head, { ...transparency, signersOf, log, mark: fileLogMark(dataDir) });
  if (state === 'behind') {
    return failure(`the database has less than ${dataDir}/log-mark: it was rolled back`, LOG_FIX.behind);
  }
  if (state !== 'ok') return failure(`${state}: not the key or the name of this log`, LOG_FIX[state]);
  const { entries, oldestMs } = await log.backlog();
  const says = `${head.origin}, ${head.size} entries, ${entries} waiting`;
  if (head.size === 0 && entries > 0 && oldestMs === null) {
    return failure(says, 'start every process of the service again');
  }
  if ((oldestMs ?? 0) > WAITING_MAX_MS) {
    return failure(
      `${says} for ${Math.round((oldestMs ?? 0) / 1_000)} s`,
      'start the service: no process sequences',
    );
  }
  const missing = head.size - (head.published?.size ?? 0);
  return missing > 0 && entries === 0
    ? warning(`${says}, ${missing} not published yet`, 'look again; then see docs/production.md')
    : ok(says);
}

function witnessChecks({ transparency: { policyFile } }: VerifyConfig): readonly Check[] {
  const one = (look: Check['look']): readonly Check[] => [{ name: 'witnesses', look }];
  if (policyFile === null) return one(async () => off('no witness cosigns checkpoints: set LOG_POLICY'));
  try {
    return readWitnesses(policyFile).policy.witnesses.map((witness) => ({
      name: `witness ${witness.name}`,
      look: (parts) => lookAtWitness(witness, parts),
    }));
  } catch (fault) {
    const says = fault instanceof Error ? fault.message : 'LOG_POLICY cannot be read';
    return one(async () => failure(says, 'correct the file of LOG_POLICY'));
  }
}

const OLD_SECONDS = 600;

const START_WITNESS = 'start it, or see docs/production.md';
const TELL_WITNESS = 'give it the log lines of GET /log/policy, and restart it';

/** A witness has these statuses for a log, or a key of one, that its own policy does not name. */
function isStranger(why: string): boolean {
  return why === 'status 403' || why === 'status 404';
}

/** Asks for a cosignature of the published checkpoint, as the service does. */
async function lookAtWitness(witness: PolicyWitness, parts: DoctorParts): Promise<Verdict> {
  const read = await currentHead(parts);
  if (read === null) return NOT_KNOWN;
  const { log, head } = read;
  if (head?.published == null) return NO_LOG;
  const { published } = head;
  const [had] = cosignaturesOf(published.note, [witness.key]);
  const nowSeconds = Math.floor(parts.now().getTime() / 1_000);
  const age = had === undefined ? null : Math.max(0, nowSeconds - had.time);
  const last = age === null ? 'no cosignature of it is published' : `last cosignature ${age} s ago`;
  const faults: string[] = [];
  const asked = askedWitness(witness, {
    log,
    ask: askHttpWitness,
    stopwatch: () => performance.now(),
    now: parts.now,
    onChange: (_, isAnswering, why) => faults.push(...(isAnswering ? [] : [why])),
  });
  const answer = await asked.ask({ ...head, size: published.size }, published.note);
  switch (answer.kind) {
    case 'nothing': {
      const why = faults.join(', ') || 'no answer';
      return failure(`does not cosign: ${why}; ${last}`, isStranger(why) ? TELL_WITNESS : START_WITNESS);
    }
    case 'forked':
      return failure(
        'has cosigned another history of this log',
        'see docs/production.md before anything else',
      );
    case 'ahead':
      return ((await log.current())?.size ?? 0) >= answer.size
        ? ok(`answers; ${last}`)
        : failure('has cosigned more than the database has: it was rolled back', 'see docs/production.md');
    case 'cosigned':
      return age === null || age > OLD_SECONDS
        ? warning(
            `cosigns, but ${last}`,
            'look again in a minute, then restart the service: it asks witnesses that LOG_POLICY named at its start',
          )
        : ok(`cosigns; ${last}`);
  }
}
