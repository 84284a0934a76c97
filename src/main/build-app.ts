import type { Store } from '../adapters/store/store.ts';
import { withStoreFaults } from '../adapters/store/store-faults.ts';
import { trustedProxies } from '../core/access/caller-address.ts';
import type { TaskIndex } from '../core/catalog/task-index.ts';
import { urlKeyOf } from '../core/keyed-hash.ts';
import { PROBES_IN_FLIGHT_PER_HOST } from '../core/limits.ts';
import type { GatePolicy } from '../core/url/gate.ts';
import { createAdmit } from '../flows/admit.ts';
import { createHostSlots } from '../flows/host-slots.ts';
import { createProbeOnce } from '../flows/probe-once.ts';
import { type App, type AppParts, createApp } from '../http/app.ts';
import { documentRoutes } from '../http/documents.ts';
import { publicAddresses } from '../http/public-addresses.ts';
import { healthRoutes } from '../http/route-health.ts';
import { serviceRoutes } from '../http/routes.ts';
import type { Prober } from '../ports/prober.ts';
import type { Config } from './config.ts';

/** What the service stands on: real in the program, bent at the edges in tests. */
export interface World extends Pick<AppParts, 'newRequestId' | 'onAnswer' | 'onFault' | 'stopwatch'> {
  readonly store: Store;
  readonly prober: Prober;
  readonly policy: GatePolicy;
  readonly index: TaskIndex;
  readonly secret: string;
  /** The version of the package. */
  readonly version: string;
  readonly now: () => Date;
  readonly entropy: (bytes: number) => Uint8Array;
  readonly inFlightMax?: number;
}

/** Addresses as callers know them; the base address is settled when the port is known. */
export type PublicConfig = Config & { readonly baseUrl: string };

const IN_FLIGHT_MAX = 1_000;
/** Each takes a socket and up to five seconds. */
const PROBES_IN_FLIGHT = 200;

export function buildApp(config: PublicConfig, world: World): App {
  const { now, entropy, secret, prober, policy, index } = world;
  const { receipts, runs, paidCalls, probes, counters } = faultingPorts(world.store);
  const keyOf = urlKeyOf(secret);
  const others = [config.altUrl, config.legacyUrl].filter((address) => address !== null);
  const admit = createAdmit({ counters, secret, ceilings: config.ceilings, now });
  const probeOnce = createProbeOnce({
    prober,
    cache: probes,
    counters,
    slots: createHostSlots({ perHost: PROBES_IN_FLIGHT_PER_HOST, total: PROBES_IN_FLIGHT }),
    now,
    keyOf,
    probesPerHostMinute: config.probesPerHostMinute,
  });
  const { pricedProbesPerHour, payTo, selfTestKey } = config;
  const routes = {
    ...serviceRoutes({
      payTo,
      selfTestKey,
      now,
      admit,
      catalog: { index, facts: paidCalls },
      check: { probeOnce, runs, policy, keyOf, now, admit, receipts, entropy, secret, pricedProbesPerHour },
      receipts: { receipts, runs, keyOf, secret },
      runs,
    }),
    ...documentRoutes({ payTo, contact: contactOf(config), addresses: [config.baseUrl, ...others], now }),
    ...healthRoutes({ version: world.version, isReady: () => runs.latest() }),
  };
  return createApp({
    ...world,
    routes,
    linksFor: publicAddresses(config.baseUrl, others),
    trusts: trustedProxies(config.trustedProxies).trusts,
    inFlightMax: world.inFlightMax ?? IN_FLIGHT_MAX,
  });
}

/** Where people can write to; without a setting, the page about the prober says who we are. */
function contactOf({ contact, baseUrl }: PublicConfig): string {
  return contact ?? `${baseUrl}/prober`;
}

function faultingPorts({ receipts, runs, paidCalls, probes, counters }: Store) {
  return {
    receipts: withStoreFaults(receipts),
    runs: withStoreFaults(runs),
    paidCalls: withStoreFaults(paidCalls),
    probes: withStoreFaults(probes),
    counters: withStoreFaults(counters),
  };
}
