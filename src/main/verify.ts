import { parseArgs } from 'node:util';
import type { TaskIndex } from '../core/catalog/task-index.ts';
import { keepGoing } from '../core/concurrency/repeat-until-stopped.ts';
import type { RunParts } from '../flows/verify/run-known-answers.ts';
import { runKnownAnswers } from '../flows/verify/run-known-answers.ts';
import { createRunner } from './build/create-runner.ts';
import { loadCatalog } from './build/load-catalog.ts';
import { openPayments } from './build/open-payments.ts';
import { openStore } from './build/open-store.ts';
import { reachPublicWeb } from './build/outbound.ts';
import { packageVersion } from './build/runtime.ts';
import { THIS_MACHINE } from './build/system.ts';
import { sayVerified, type Voice } from './commands/print-verified.ts';
import { readVerifyConfig, type VerifyConfig } from './config/verify-config.ts';
import { sayFaults } from './say-faults.ts';
import { stopSignal } from './stop-signal.ts';

const USAGE = 'usage: assay verify [--service id]... [--dry-run] [--watch] [--json]';
/** How often a runner that keeps running looks for services that are due. */
const LOOK_EVERY_MS = 60_000;

interface VerifyOptions {
  readonly services: readonly string[];
  readonly dryRun: boolean;
  readonly watch: boolean;
  readonly json: boolean;
}

/** Pays the services that are due for one call each, and stores what came back. Answers the exit code. */
export async function verify(argv: readonly string[], voice: Voice): Promise<number> {
  const options = readOptions(argv);
  if (options === null) return voice.fail(USAGE);
  const reading = readVerifyConfig();
  if (reading.kind === 'invalid') return voice.fail(`wrong setting: ${reading.problem}`);
  const { config } = reading;
  if (config.buyerKey === null && !options.dryRun) {
    return voice.fail('BUYER_KEY is not set; --dry-run looks at the services without paying');
  }
  const index = loadCatalog();
  const unknown = options.services.find((id) => !index.byId.has(id));
  if (unknown !== undefined) return voice.fail(`no service has the id ${unknown}`);
  return runOn(config, index, options, voice);
}

async function runOn(
  config: VerifyConfig,
  index: TaskIndex,
  options: VerifyOptions,
  voice: Voice,
): Promise<number> {
  const { authorizationLog } = await openPayments(config, { warn: voice.say });
  const store = await openStore(config, options.watch ? voice.say : undefined);
  const stop = stopSignal();
  try {
    const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
    const runner = await createRunner({
      store,
      reach: reachPublicWeb({ ...config, baseUrl, version: packageVersion() }),
      authorizationLog,
      rpcUrl: config.node.url,
      buyerKey: options.dryRun ? null : config.buyerKey,
      caps: config.caps,
      ...THIS_MACHINE,
    });
    return await rounds(runner, index, options, voice, stop);
  } finally {
    await store.close();
  }
}

async function rounds(
  runner: Omit<RunParts, 'onVerified' | 'onFault'>,
  index: TaskIndex,
  { services: named, watch, json }: VerifyOptions,
  voice: Voice,
  stop: AbortSignal,
): Promise<number> {
  const all = [...index.byId.values()];
  const only = named.length === 0 ? null : all.filter(({ id }) => named.includes(id));
  const balance = runner.buyer === null ? null : await runner.buyer.balance();
  if (runner.buyer !== null && balance === null) {
    return voice.fail('the node behind RPC_URL cannot be asked, so nothing is paid');
  }
  const say = sayVerified(voice, {
    json,
    total: (only ?? all).length,
    balance,
    address: runner.buyer?.address ?? null,
  });
  let wanted = only;
  const round = async () => {
    const due = wanted;
    // Due or not, but once.
    wanted = null;
    await runKnownAnswers(
      only ?? all,
      { only: due, isStopped: () => stop.aborted },
      { ...runner, onVerified: say.verified, onFault: (fault) => voice.say(String(fault)) },
    );
    say.round(await runner.calls.spent(runner.now()));
  };
  await (watch ? keepGoing(LOOK_EVERY_MS, round, sayFaults(voice, stop)) : round());
  return 0;
}

function readOptions(argv: readonly string[]): VerifyOptions | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        service: { type: 'string', multiple: true, default: [] },
        'dry-run': { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const { service, 'dry-run': dryRun, watch, json } = values;
    return { services: service, dryRun, watch, json };
  } catch {
    return null;
  }
}
