import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../adapters/store/store.ts';
import { withStoreFaults } from '../adapters/store/store-faults.ts';
import { trustedProxies } from '../core/access/caller-address.ts';
import type { TaskIndex } from '../core/catalog/task-index.ts';
import { urlKeyOf } from '../core/keyed-hash.ts';
import { PROBES_IN_FLIGHT_PER_HOST } from '../core/limits.ts';
import type { GatePolicy } from '../core/url/gate.ts';
import { createAdmit } from '../flows/admit.ts';
import { type ChargeStep, createBoughtBefore, createCharge } from '../flows/charge.ts';
import { createHostSlots } from '../flows/check/host-slots.ts';
import type { RefusalParts } from '../flows/check/refused.ts';
import { createFreeLeft } from '../flows/free-left.ts';
import { createReadiness } from '../flows/operate/readiness.ts';
import { createRecordLookup } from '../flows/operate/record-attribution.ts';
import { createFindProbe, createProbeOnce } from '../flows/probe-once.ts';
import { type App, type AppParts, createApp } from '../http/app.ts';
import { publicAddresses } from '../http/exchange/public-addresses.ts';
import { documentRoutes } from '../http/routes/documents.ts';
import { healthRoutes } from '../http/routes/health.ts';
import { serviceRoutes } from '../http/routes.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { PaymentLedger } from '../ports/payment-ledger.ts';
import type { Prober } from '../ports/prober.ts';
import { finishPaidAnswer } from '../wire/payment/paid-answer.ts';
import type { Payments } from './build/open-payments.ts';
import type { Config } from './config/config.ts';
import { loadMcpOnce } from './load-mcp.ts';

/** What the service stands on: real in the program, bent at the edges in tests. */
export interface World
  extends Payments,
    Pick<AppParts, 'newRequestId' | 'onAnswer' | 'onFault' | 'stopwatch'> {
  readonly store: Store;
  readonly prober: Prober;
  readonly policy: GatePolicy;
  readonly index: TaskIndex;
  readonly secret: string;
  /** The version of the package. */
  readonly version: string;
  readonly now: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly entropy: (bytes: number) => Uint8Array;
  /** What the buyer of the pack gets, but for the settlement. */
  readonly pack: string;
  /** Tests stop the process after a step of a charge. */
  readonly onChargeStep?: (step: ChargeStep) => Promise<void>;
  readonly inFlightMax?: number;
  /** True once the process was told to stop. */
  readonly isStopping?: () => boolean;
  readonly onRefused?: RefusalParts['onRefused'];
}

/** Addresses as callers know them; the base address is settled when the port is known. */
export type PublicConfig = Config & { readonly baseUrl: string };

const IN_FLIGHT_MAX = 1_000;
const HOLDER_BYTES = 12;
/** Each takes a socket and up to five seconds. */
const PROBES_IN_FLIGHT = 200;

export function buildApp(config: PublicConfig, world: World): App {
  const { now, entropy, secret, prober, policy, index } = world;
  const { receipts, runs, paidCalls, probes, places, counters, payments, quotes } = faultingPorts(
    world.store,
  );
  const keyOf = urlKeyOf(secret);
  const others = [config.altUrl, config.legacyUrl].filter((address) => address !== null);
  const addresses = [config.baseUrl, ...others];
  const answerMcp = loadMcpOnce((fault) => world.onFault('mcp', fault));
  const admit = createAdmit({ counters, secret, ceilings: config.ceilings, now });
  const reuse = { cache: probes, now, keyOf };
  const probeOnce = createProbeOnce({
    ...reuse,
    prober,
    counters,
    slots: createHostSlots({ perHost: PROBES_IN_FLIGHT_PER_HOST, total: PROBES_IN_FLIGHT }),
    places,
    newHolder: newHolderOf(world),
    wait: world.wait,
    stopwatch: world.stopwatch,
    onLateFault: (fault) => world.onFault('after a probe', fault),
    probesPerHostMinute: config.probesPerHostMinute,
    onRefused: world.onRefused,
  });
  const charging = createCharging(payments, counters, world);
  const { pricedProbesPerHour, paidChecksPerHour, payTo, selfTestKey } = config;
  const findProbe = createFindProbe(reuse);
  const looking = { probeOnce, findProbe, runs, policy, keyOf, now, onRefused: world.onRefused };
  const selling = { ...charging, quotes, counters, secret, pricedProbesPerHour, paidChecksPerHour };
  const routes = {
    ...serviceRoutes({
      payTo,
      ...charging,
      pack: world.pack,
      selfTestKey,
      now,
      admit,
      catalog: { index, facts: paidCalls },
      recordLookup: createRecordLookup({ attribution: world.store.attribution, index }),
      check: { ...looking, ...selling, admit, receipts, entropy },
      receipts: { receipts, runs, keyOf, secret },
      runs,
      mcp: { answerMcp, addresses, origins: config.mcpOrigins },
      freeLeft: createFreeLeft({ counters, secret, ceilings: config.ceilings, now }),
    }),
    ...documentRoutes({ payTo, contact: contactOf(config), addresses, now }),
    ...healthRoutes({ version: world.version, readiness: readinessOf(world) }),
  };
  return createApp({
    ...world,
    routes,
    linksFor: publicAddresses(config.baseUrl, others),
    trusts: trustedProxies(config.trustedProxies).trusts,
    inFlightMax: world.inFlightMax ?? IN_FLIGHT_MAX,
  });
}

/** Buying, and getting again what was bought. */
function createCharging(ledger: PaymentLedger, counters: CounterStore, world: World) {
  const { facilitator, authorizationLog, now } = world;
  return {
    chargeFor: createCharge({
      ledger,
      counters,
      facilitator,
      authorizationLog,
      finish: finishPaidAnswer,
      now,
      wait: world.wait,
      newHolder: newHolderOf(world),
      onFault: (fault) => world.onFault('payment', fault),
      onStep: world.onChargeStep,
    }),
    boughtBefore: createBoughtBefore({ ledger, now, wait: world.wait }),
  };
}

/** Its waiting keeps no process from ending. */
function readinessOf({ store: { health }, stopwatch, isStopping = () => false }: World) {
  const unnoticed = (milliseconds: number) => wait(milliseconds, undefined, { ref: false });
  return createReadiness({ health, stopwatch, isStopping, wait: unnoticed });
}

function newHolderOf({ entropy }: Pick<World, 'entropy'>): () => string {
  return () => Buffer.from(entropy(HOLDER_BYTES)).toString('hex');
}

/** Where people can write to; without a setting, the page about the prober says who we are. */
function contactOf({ contact, baseUrl }: PublicConfig): string {
  return contact ?? `${baseUrl}/prober`;
}

function faultingPorts({ receipts, runs, paidCalls, probes, places, counters, payments, quotes }: Store) {
  return {
    payments: withStoreFaults(payments),
    quotes: withStoreFaults(quotes),
    receipts: withStoreFaults(receipts),
    runs: withStoreFaults(runs),
    paidCalls: withStoreFaults(paidCalls),
    probes: withStoreFaults(probes),
    places: withStoreFaults(places),
    counters: withStoreFaults(counters),
  };
}
