import { createAuthorizationLog } from '../../adapters/facilitator/chain-log.ts';
import { VERIFY_CAPS } from '../../core/known-answer/verify-caps.ts';
import { SERVICE_VERDICT } from '../../core/limits.ts';
import { runKnownAnswers } from '../../flows/verify/run-known-answers.ts';
import { sandboxCatalog } from '../../sandbox/sandbox-catalog.ts';
import { createRunner } from '../build/create-runner.ts';
import { SYSTEM } from '../build/system.ts';
import type { Output } from '../commands/output.ts';
import { printVerified } from '../commands/print-verified.ts';
import type { Sandbox } from './start.ts';

/** Enough graded calls for a word about each service. */
const ROUNDS = SERVICE_VERDICT.gradedMin;

/** Some rounds of the known-answer runner, paid by the last buyer. */
export async function verifySandbox({ ecosystem, store, outbound }: Sandbox, output: Output): Promise<void> {
  const { chain, sellers } = ecosystem;
  const runner = await createRunner({
    store,
    outbound,
    authorizationLog: createAuthorizationLog({ rpcUrl: chain.rpcUrl }),
    rpcUrl: chain.rpcUrl,
    buyerKey: chain.accounts.buyers.at(-1)?.key ?? null,
    caps: VERIFY_CAPS,
    ...SYSTEM,
  });
  const services = sandboxCatalog(sellers);
  const balance = (await runner.buyer?.balance()) ?? null;
  const address = runner.buyer?.address ?? null;
  const total = ROUNDS * services.length;
  const printer = printVerified(output, { json: false, total, balance, address });
  const ports = {
    ...runner,
    onVerified: printer.verified,
    onFault: (fault: unknown) => output.note(String(fault)),
  };
  for (let round = 0; round < ROUNDS; round += 1) await runKnownAnswers(services, { only: services }, ports);
  printer.round(await runner.calls.spent(new Date()));
}
