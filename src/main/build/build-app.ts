import { setTimeout as wait } from 'node:timers/promises';
import type { Painter } from '../../adapters/pictures/create-painter.ts';
import { verifyEd25519 } from '../../adapters/seller/ed25519.ts';
import type { Store } from '../../adapters/store/store.ts';
import { trustedProxies } from '../../core/access/caller-address.ts';
import { exampleService } from '../../core/catalog/example-service.ts';
import { currentPayee } from '../../core/catalog/payee-rotation.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import type { TaskIndex } from '../../core/catalog/task-index.ts';
import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import { urlKeyOf } from '../../core/keyed-hash.ts';
import {
  PAYMENT_COPIES_MAX,
  PROBES_IN_FLIGHT_PER_ADDRESS,
  PROBES_IN_FLIGHT_PER_HOST,
} from '../../core/limits.ts';
import type { GatePolicy } from '../../core/url/gate.ts';
import { createCatalogListings } from '../../flows/check/catalog-listings.ts';
import { createAddressSlots } from '../../flows/check/own-slots.ts';
import { createFindProbe, createProbeOnce, type ProbeOncePorts } from '../../flows/check/probe-once.ts';
import type { RefusalParts } from '../../flows/check/refused.ts';
import { createVisitTarget } from '../../flows/check/visit-target.ts';
import type { LogKeeper } from '../../flows/log/keep-log.ts';
import { NO_WITNESSES, policyText } from '../../flows/log/policy-text.ts';
import { createPromiseReceipt } from '../../flows/log/promise-receipt.ts';
import type { StatementPorts } from '../../flows/log/statements-in-bundle.ts';
import { createFindServices } from '../../flows/lookup/find-services.ts';
import { createReadiness } from '../../flows/operate/readiness.ts';
import type { ChargeStep } from '../../flows/pay/charge.ts';
import type { SellPorts } from '../../flows/pay/sell.ts';
import { quotaLeft } from '../../flows/quota/quota-left.ts';
import { hasReceiptsIn } from '../../flows/read/read-receipts.ts';
import { createProveControl } from '../../flows/seller/prove-control.ts';
import type { AdmissionLimits } from '../../http/admission/admission.ts';
import { type App, type AppParts, createApp } from '../../http/app.ts';
import { createLinksFor } from '../../http/exchange/links-for.ts';
import { documentRoutes } from '../../http/routes/documents.ts';
import { healthRoutes } from '../../http/routes/health.ts';
import { type LogRouteParts, logRoutes } from '../../http/routes/log/tiles.ts';
import { serviceRoutes } from '../../http/routes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { PageReads } from '../../ports/crawl-runs.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { PaymentLedger } from '../../ports/payment-ledger.ts';
import type { LocatingProber } from '../../ports/prober.ts';
import type { ProofSource, SendWebhook } from '../../ports/seller.ts';
import type { Vantages } from '../../ports/vantages.ts';
import { createFinishPaidAnswer } from '../../wire/payment/paid-answer.ts';
import type { Config } from '../config/config.ts';
import { faultingPorts } from './faulting-ports.ts';
import { loadMcpOnFirstCall } from './load-mcp.ts';
import type { Payments } from './open-payments.ts';

/** Everything the app needs from outside: real in the program, partly replaced in tests. */
export interface Runtime extends Payments, Clock, Pick<AppParts, 'newRequestId' | 'onAnswer' | 'onFault'> {
  readonly store: Store;
  readonly pages?: PageReads;
  readonly painter: Painter;
  readonly prober: LocatingProber;
  readonly proofs: ProofSource;
  readonly sendWebhook: SendWebhook;
  readonly policy: GatePolicy;
  readonly index: TaskIndex;
  readonly secret: string;
  /** The version of the package. */
  readonly version: string;
  readonly entropy: (bytes: number) => Uint8Array;
  /** The answer to the buyer of the pack, without the settlement. */
  readonly pack: Buffer;
  /** Rules files by version. */
  readonly rules: ReadonlyMap<string, string>;
  /** Tests stop the process after a step of a charge. */
  readonly onChargeStep?: (step: ChargeStep) => Promise<void>;
  readonly pools?: AdmissionLimits['pools'];
  /** True once the process was told to stop. */
  readonly isStopping?: () => boolean;
  readonly onRefused?: RefusalParts['onRefused'];
  /** Sequences the transparency log, and promises. */
  readonly logKeeper: LogKeeper;
  /** The lines of the policy about witnesses; none by default. */
  readonly witnesses?: string;
  /** Seconds since the last cosignature of each of them. */
  readonly witnessAges?: () => ReadonlyMap<string, number>;
  /** Other points of view; nobody else is asked without them. */
  readonly vantages?: Vantages | undefined;
  /** The same, with the share of them that a crawl may take. */
  readonly crawlVantages?: Vantages | undefined;
}

/** The public addresses; the base address is complete when the port is known. */
export type PublicConfig = Config & { readonly baseUrl: string };

/** A check waits for seconds, a purchase for a facilitator, a read for the store at most, and a message for any of them. */
const POOLS: AdmissionLimits['pools'] = { read: 600, check: 400, purchase: 400, message: 1_400 };
const HOLDER_BYTES = 12;
/** Each takes a socket and up to five seconds. */
const PROBES_IN_FLIGHT = 200;

/** Loaded for a service with rotations only: the library behind it is large. */
async function payeeOf(service: Service): Promise<string | null> {
  const { isSignedBy } = await import('../../adapters/wallet/signed-text.ts');
  return currentPayee(service, service.payeeRotations, isSignedBy);
}

export function buildApp(config: PublicConfig, runtime: Runtime): App {
  const { now, entropy, secret, policy, index } = runtime;
  const ports = faultingPorts(runtime.store, runtime.pages);
  const { receipts, runs, paidCalls, checks, counters, quotes, sellers, pages } = ports;
  const keyOf = urlKeyOf(secret);
  const others = [config.altUrl, config.legacyUrl].filter((address) => address !== null);
  const addresses = [config.baseUrl, ...others];
  const answerMcp = loadMcpOnFirstCall((fault) => runtime.onFault('mcp', fault), config.payTo !== null);
  const probing = probingOf(config, runtime, { ...ports, keyOf });
  const visitTarget = createVisitTarget(probing);
  const proveControl = createProveControl({ proofs: runtime.proofs, visitTarget, now });
  const { pricedProbesPerHour, paidChecksPerHour, payTo, selfTestKey } = config;
  const clock: Clock = runtime;
  const payments = sellPorts(payTo, ports.payments, counters, runtime);
  const quota = { counters, secret, ceilings: config.ceilings, clock };
  const catalog = { index, facts: paidCalls };
  const reading = { receipts, runs, keyOf, secret, clock };
  const findServices = createFindServices({ ...catalog, hasReceipts: hasReceiptsIn(reading) });
  const example = exampleService(index.services, policy);
  const looking = {
    probeOnce: createProbeOnce(probing),
    findProbe: createFindProbe(probing),
    runs,
    catalogListings: createCatalogListings(index, payeeOf),
    ...{ policy, keyOf, onRefused: runtime.onRefused, vantages: runtime.vantages },
  };
  const recording = { receipts, entropy, clock };
  const selling = { payments, quotes, pricedProbesPerHour, paidChecksPerHour };
  const routes = {
    ...serviceRoutes({
      payments,
      pack: runtime.pack,
      selfTestKey,
      promiseReceipt: createPromiseReceipt(runtime.logKeeper, now),
      now,
      catalog,
      example,
      lookups: { findServices, quota, payments, attribution: runtime.store.attribution, index, clock },
      check: { ...looking, ...selling, ...recording, quota, checks },
      receipts: { ...reading, receipts: { ...receipts, ...pages.receipts } },
      sellers: {
        ...{ ...looking, ...recording, counters, sellers, proveControl, secret },
        ...{ watches: ports.watches, verifySignature: verifyEd25519 },
        watched: { ...reading, corrections: ports.corrections },
      },
      runs: pages.runs,
      archiveUrl: config.archiveUrl,
      ...{ proving: ports, correcting: ports, paint: runtime.painter.paint },
      snapshots: ports.snapshots,
      mcp: { answerMcp, addresses, origins: config.mcpOrigins, payTo },
      quotaLeft: (metered, caller) => quotaLeft(metered, caller, quota),
    }),
    ...logRoutes(logParts(runtime, ports)),
    ...documentRoutes({ payTo, contact: contactOf(config), addresses, now, example }),
    ...healthRoutes({ version: runtime.version, readiness: readinessOf(runtime) }),
  };
  return createApp({
    ...runtime,
    routes,
    linksFor: createLinksFor(config.baseUrl, others),
    trusts: trustedProxies(config.trustedProxies).trusts,
    limits: limitsOf(config, runtime),
  });
}

function limitsOf({ requestsPerAddress, readsPerAddressMinute }: PublicConfig, { pools = POOLS }: Runtime) {
  return { pools, underWayPerAddress: requestsPerAddress, readsPerAddressMinute };
}

function logParts(
  { logKeeper, rules, witnesses = NO_WITNESSES }: Runtime,
  ports: StatementPorts & { readonly transparencyLog: LogReader },
): LogRouteParts {
  const { transparencyLog: log } = ports;
  return {
    transparencyLog: log,
    statements: ports,
    rules,
    logPolicy: (address) => policyText(address, { log, witnesses, promiseKey: logKeeper.promiseKey() }),
  };
}

/** Probes and other visits share their slots. */
function probingOf(
  { probesPerHostMinute }: PublicConfig,
  runtime: Runtime,
  {
    probes,
    ...parts
  }: Pick<ProbeOncePorts, 'checks' | 'counters' | 'openEndpoints' | 'keyOf'> & Pick<Store, 'probes'>,
): ProbeOncePorts & Pick<Runtime, 'vantages'> {
  const { now, prober, wait: waitFor, stopwatch, onRefused, vantages } = runtime;
  return {
    ...{ checks: parts.checks, counters: parts.counters, openEndpoints: parts.openEndpoints },
    ...{ keyOf: parts.keyOf, cache: probes, now, prober, vantages },
    slots: createKeyedSlots({ perKey: PROBES_IN_FLIGHT_PER_HOST, total: PROBES_IN_FLIGHT }),
    addressSlots: createAddressSlots(PROBES_IN_FLIGHT_PER_ADDRESS),
    newHolder: newHolderOf(runtime),
    wait: waitFor,
    stopwatch,
    probesPerHostMinute,
    onRefused,
  };
}

function sellPorts(
  payTo: string | null,
  ledger: PaymentLedger,
  counters: CounterStore,
  runtime: Runtime,
): SellPorts {
  const { facilitator, authorizationLog, signatures, secret } = runtime;
  return {
    payTo,
    secret,
    ledger,
    counters,
    facilitator,
    authorizationLog,
    signatures,
    copies: createKeyedSlots({ perKey: PAYMENT_COPIES_MAX }),
    finish: createFinishPaidAnswer(createPromiseReceipt(runtime.logKeeper, runtime.now)),
    clock: runtime,
    newHolder: newHolderOf(runtime),
    onFault: (fault) => runtime.onFault('payment', fault),
    onStep: runtime.onChargeStep,
  };
}

/** Its timer does not keep the process alive. */
function readinessOf({ store: { health }, stopwatch, logKeeper, isStopping = () => false }: Runtime) {
  const unnoticed = (milliseconds: number) => wait(milliseconds, undefined, { ref: false });
  return createReadiness({ health, stopwatch, isStopping, wait: unnoticed, logState: logKeeper.state });
}

function newHolderOf({ entropy }: Pick<Runtime, 'entropy'>): () => string {
  return () => Buffer.from(entropy(HOLDER_BYTES)).toString('hex');
}

/** The operator's contact; by default the page about the prober. */
function contactOf({ contact, baseUrl }: PublicConfig): string {
  return contact ?? `${baseUrl}/prober`;
}
