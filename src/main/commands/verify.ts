import type { Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import type { TaskIndex } from '../../core/catalog/task-index.ts';
import { repeatUntilStopped } from '../../core/concurrency/repeat-until-stopped.ts';
import type { RunPorts } from '../../flows/verify/run-known-answers.ts';
import { runKnownAnswers } from '../../flows/verify/run-known-answers.ts';
import { createRunner } from '../build/create-runner.ts';
import { loadCatalog } from '../build/load-catalog.ts';
import { openPayments } from '../build/open-payments.ts';
import { openStore } from '../build/open-store.ts';
import { createPublicOutbound } from '../build/outbound.ts';
import { packageVersion } from '../build/runtime.ts';
import { SYSTEM } from '../build/system.ts';
import { readVerifyConfig, type VerifyConfig } from '../config/verify-config.ts';
import type { Output } from './output.ts';
import { printVerified } from './print-verified.ts';
import { roundsUntil, stopSignal } from './stop-signal.ts';

/** How often --watch looks for services that are due. */
const LOOK_EVERY_MS = 60_000;

interface VerifyOptions {
  readonly services: readonly string[];
  readonly dryRun: boolean;
  readonly watch: boolean;
  readonly json: boolean;
}

/** assay verify: pays the services that are due for one call each, and stores the graded answers. */
export async function verify(given: Arguments, output: Output): Promise<Outcome> {
  const options = {
    services: given.all('--service'),
    dryRun: given.has('--dry-run'),
    watch: given.has('--watch'),
    json: given.has('--json'),
  };
  const reading = readVerifyConfig();
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const { config } = reading;
  if (config.buyerKey === null && !options.dryRun) {
    return output.fail('BUYER_KEY is not set; --dry-run sends the unpaid requests and pays nothing');
  }
  const index = loadCatalog();
  const unknown = options.services.find((id) => !index.byId.has(id));
  if (unknown !== undefined) return output.fail(`no service has the id ${unknown}`);
  return runOn(config, index, options, output);
}

async function runOn(
  config: VerifyConfig,
  index: TaskIndex,
  options: VerifyOptions,
  output: Output,
): Promise<number> {
  const { authorizationLog } = await openPayments(config, { warn: output.note });
  const store = await openStore(config, options.watch ? output.note : undefined);
  const stop = stopSignal();
  try {
    const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
    const runner = await createRunner({
      store,
      outbound: createPublicOutbound({ ...config, baseUrl, version: packageVersion() }),
      authorizationLog,
      rpcUrl: config.node.url,
      buyerKey: options.dryRun ? null : config.buyerKey,
      caps: config.caps,
      ...SYSTEM,
    });
    return await rounds(runner, index, options, output, stop);
  } finally {
    await store.close();
  }
}

async function rounds(
  runner: Omit<RunPorts, 'onVerified' | 'onFault'>,
  index: TaskIndex,
  { services: named, watch, json }: VerifyOptions,
  output: Output,
  stop: AbortSignal,
): Promise<number> {
  const all = [...index.byId.values()];
  const only = named.length === 0 ? null : all.filter(({ id }) => named.includes(id));
  const balance = runner.buyer === null ? null : await runner.buyer.balance();
  if (runner.buyer !== null && balance === null) {
    return output.fail('the node at RPC_URL does not answer, so nothing is paid');
  }
  const printer = printVerified(output, {
    json,
    total: (only ?? all).length,
    balance,
    address: runner.buyer?.address ?? null,
  });
  let wanted = only;
  const round = async () => {
    const due = wanted;
    // Named services run once, even if they are not due.
    wanted = null;
    await runKnownAnswers(
      only ?? all,
      { only: due, isStopped: () => stop.aborted },
      { ...runner, onVerified: printer.verified, onFault: (fault) => output.note(String(fault)) },
    );
    printer.round(await runner.calls.spent(runner.now()));
  };
  await (watch ? repeatUntilStopped(LOOK_EVERY_MS, round, roundsUntil(stop, output)) : round());
  return 0;
}
