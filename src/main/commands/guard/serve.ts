import { isIPv4 } from 'node:net';
import type { Outcome } from '../../../cli/exit-code.ts';
import { decisionLine } from '../../../cli/guard/decision-line.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { untilAborted } from '../../../core/concurrency/until-aborted.ts';
import type { Guard } from '../../../guard/create-guard.ts';
import { createGateway } from '../../../guard/gateway/gateway-server.ts';
import { GuardRefused } from '../../../guard/guard-refused.ts';
import { guardOfPolicy, readPolicyFile } from '../../../guard/policy-file.ts';
import { listenOn, readHostAndPort, stopListening } from '../../serve/listen.ts';
import { faultText, type Output } from '../output.ts';
import { stopSignal } from '../stop-signal.ts';

const LISTEN = '127.0.0.1:4403';

/** assay guard serve: passes requests through the guard until it is stopped. */
export async function runGuardServe(
  given: Arguments,
  output: Output,
  stop: AbortSignal = stopSignal(),
): Promise<Outcome> {
  const policy = given.text('--policy');
  const listenAt = readLoopback(given.text('--listen') ?? LISTEN);
  if (policy === null) return { invalid: '--policy is required' };
  if (listenAt === null) {
    return { invalid: `--listen must be a loopback address with a port, such as ${LISTEN}` };
  }
  let guard: Guard | null = null;
  try {
    guard = guardOfPolicy(readPolicyFile(policy), {
      onDecision: (decision) => output.note(decisionLine(decision)),
    });
    // A ledger that cannot be opened is found now, and not at the first purchase.
    await guard.purchases({ limit: 1 });
    const server = createGateway(guard.fetch);
    const address = await listenOn(server, listenAt.host, listenAt.port);
    output.note(`assay guard: listening on ${address}; request ${address}/https://seller.example/path`);
    await untilAborted(stop);
    await stopListening(server);
    return 0;
  } catch (fault) {
    // The ledger says what is wrong with it; the refusal around it is for payers.
    return output.fail(faultText(fault instanceof GuardRefused ? fault.cause : fault));
  } finally {
    await guard?.close();
  }
}

/** Null unless it is loopback: anybody who reaches the gateway can spend the budget of its ledger. */
function readLoopback(text: string): ReturnType<typeof readHostAndPort> {
  const { host: name, port } = readHostAndPort(text) ?? { host: '', port: 0 };
  const host = name === 'localhost' ? '127.0.0.1' : name;
  const isLoopback = host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  return isLoopback ? { host, port } : null;
}
