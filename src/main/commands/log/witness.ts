import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519Signer } from '../../../adapters/log/ed25519-signer.ts';
import { keepSeed } from '../../../adapters/log/key-file.ts';
import { witnessFiles } from '../../../adapters/log/witness-files.ts';
import { holdLock } from '../../../adapters/system/hold-lock.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { untilAborted } from '../../../core/concurrency/until-aborted.ts';
import { type NoteKey, noteKeyText } from '../../../core/log/note.ts';
import { isKeyName } from '../../../core/log/note-format.ts';
import { parsePolicy } from '../../../core/log/policy.ts';
import { createWitness } from '../../../flows/log/witness/witness-logs.ts';
import { SYSTEM } from '../../build/system.ts';
import { listenOn, readHostAndPort, stopListening } from '../../serve/listen.ts';
import { createWitnessServer } from '../../witness/witness-server.ts';
import { faultText, type Output } from '../output.ts';
import { stopSignal } from '../stop-signal.ts';

const LISTEN = '127.0.0.1:4404';
const DATA = 'witness-data';

/** assay witness: cosigns the checkpoints of the logs of a policy until it is stopped. */
export async function runWitness(
  given: Arguments,
  output: Output,
  stop: AbortSignal = stopSignal(),
): Promise<Outcome> {
  const [policyFile, keyFile, name] = [given.text('--policy'), given.text('--key'), given.text('--name')];
  if (policyFile === null) return { invalid: '--policy is required' };
  if (keyFile === null) return { invalid: '--key is required' };
  if (name === null) return { invalid: '--name is required' };
  if (!isKeyName(name)) return { invalid: '--name must not have spaces or a plus' };
  const listenAt = readHostAndPort(given.text('--listen') ?? LISTEN);
  if (listenAt === null) return { invalid: `--listen must be an address with a port, such as ${LISTEN}` };
  try {
    const logs = readLogs(policyFile);
    const signer = ed25519Signer(name, keepSeed(keyFile), 4);
    const data = given.text('--data') ?? DATA;
    const state = witnessFiles(data);
    const hold = await holdLock(join(data, 'lock'));
    if (hold === null)
      return output.fail(`another assay witness uses ${data}; each needs a folder of its own`);
    if (!hold.isLocked)
      output.note(`assay witness: ${data} cannot be locked; do not start a second one on it`);
    try {
      const witness = createWitness({ logs, signer, state, now: SYSTEM.now });
      const onFault = (fault: unknown) => output.note(`assay witness: ${faultText(fault)}`);
      const server = createWitnessServer({ witness, stopwatch: SYSTEM.stopwatch, onFault });
      const address = await listenOn(server, listenAt.host, listenAt.port);
      output.print(noteKeyText(signer.key));
      output.note(`assay witness: listening on ${address}; witnesses ${originsOf(logs)}`);
      await untilAborted(stop);
      await stopListening(server);
      return 0;
    } finally {
      hold.release();
    }
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}

function readLogs(file: string): readonly NoteKey[] {
  const policy = policyOf(file);
  if ('fault' in policy) throw new Error(`the policy ${file}, line ${policy.line}: ${policy.fault}`);
  if (policy.logs.length === 0)
    throw new Error(`the policy ${file} has no log line: there is nothing to witness`);
  return policy.logs.map(({ key }) => key);
}

function policyOf(file: string): ReturnType<typeof parsePolicy> {
  try {
    return parsePolicy(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`cannot read the policy ${file}`, { cause });
  }
}

function originsOf(logs: readonly NoteKey[]): string {
  return [...new Set(logs.map(({ name }) => name))].join(', ');
}
