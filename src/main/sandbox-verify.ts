import { createAuthorizationLog } from '../adapters/facilitator/chain-log.ts';
import { VERIFY_CAPS } from '../core/limits.ts';
import { runKnownAnswers } from '../flows/verify/run-known-answers.ts';
import { sandboxCatalog } from '../sandbox/sandbox-catalog.ts';
import { createRunner } from './build/create-runner.ts';
import { THIS_MACHINE } from './build/system.ts';
import { sayVerified, type Voice } from './commands/print-verified.ts';
import type { Sandbox } from './sandbox/start.ts';

/** One round of the known-answer runner, with the money of the last buyer. */
export async function verifySandbox({ surroundings, store, reach }: Sandbox, voice: Voice): Promise<void> {
  const { chain, sellers } = surroundings;
  const runner = await createRunner({
    store,
    reach,
    authorizationLog: createAuthorizationLog({ rpcUrl: chain.rpcUrl }),
    rpcUrl: chain.rpcUrl,
    buyerKey: chain.accounts.buyers.at(-1)?.key ?? null,
    caps: VERIFY_CAPS,
    ...THIS_MACHINE,
  });
  const services = sandboxCatalog(sellers);
  const balance = (await runner.buyer?.balance()) ?? null;
  const address = runner.buyer?.address ?? null;
  const say = sayVerified(voice, { json: false, total: services.length, balance, address });
  await runKnownAnswers(
    services,
    { only: null },
    { ...runner, onVerified: say.verified, onFault: (fault) => voice.say(String(fault)) },
  );
  say.round(await runner.calls.spent(new Date()));
}
