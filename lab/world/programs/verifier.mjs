/** Pays the sellers of the world that deliver, round after round, as `assay verify` does. */
import { setTimeout as wait } from 'node:timers/promises';
import { createAuthorizationLog } from '../../../dist/adapters/facilitator/chain-log.js';
import { runKnownAnswers } from '../../../dist/flows/verify/run-known-answers.js';
import { createRunner } from '../../../dist/main/build/create-runner.js';
import { openStore } from '../../../dist/main/build/open-store.js';
import { SYSTEM } from '../../../dist/main/build/system.js';
import { readConfig } from '../../../dist/main/config/config.js';
import { sandboxCatalog } from '../../../dist/sandbox/sandbox-catalog.js';
import { hearCalls } from './hear-calls.mjs';
import { outboundTo } from './seller-outbound.mjs';

const CAPS = { perCall: 100_000n, perDay: 90_000_000n, total: 90_000_000n };
const PAUSE_MS = 2_000;
const ROUNDS_MAX = 100;
/** A call that was left open is looked at by whoever is sure that nobody is at work on it any more. */
const LATER_MS = 15 * 60_000;

const state = { faults: [], isStopped: false, round: Promise.resolve() };

async function runnerOf({ sellers, userAgent, rpcUrl, buyerKey }, aheadMs = 0) {
  const { config } = readConfig();
  const runner = await createRunner({
    store: await openStore(config),
    outbound: outboundTo(
      sellers.map(({ url }) => url),
      userAgent,
    ),
    authorizationLog: createAuthorizationLog({ rpcUrl }),
    rpcUrl,
    buyerKey,
    caps: CAPS,
    ...SYSTEM,
    now: () => new Date(Date.now() + aheadMs),
  });
  return { ...runner, onVerified() {}, onFault: (fault) => state.faults.push(String(fault)) };
}

async function start(given) {
  const runner = await runnerOf(given);
  const services = sandboxCatalog(given.sellers);
  const round = () => runKnownAnswers(services, { only: services, isStopped: () => state.isStopped }, runner);
  state.round = keepGoing(round);
}

async function keepGoing(round) {
  while (!state.isStopped) {
    await round().catch((fault) => state.faults.push(String(fault)));
    await wait(PAUSE_MS);
  }
}

hearCalls({
  start,
  /** No more calls; those that a crash left open are finished. */
  async finish(given) {
    state.isStopped = true;
    await state.round;
    const runner = await runnerOf(given, LATER_MS);
    // What was signed and never used is decided only when it has run out by the clock of the chain.
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      await runKnownAnswers([], { only: [] }, runner);
      if ((await runner.calls.unfinished(new Date(Date.now() + LATER_MS), 1)).length === 0) return;
      await wait(PAUSE_MS);
    }
  },
});
