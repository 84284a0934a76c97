import { randomBytes } from 'node:crypto';
import { createAuthorizationLog } from '../../src/adapters/facilitator/chain-log.ts';
import { dialDirectly } from '../../src/adapters/probe/dial.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import type { Service } from '../../src/core/catalog/read-catalog.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { type RunPorts, runKnownAnswers } from '../../src/flows/verify/run-known-answers.ts';
import type { Verified } from '../../src/flows/verify/verify-service.ts';
import { createRunner } from '../../src/main/build/create-runner.ts';
import { createOutbound } from '../../src/main/build/outbound.ts';
import type { LocalChain } from '../../src/sandbox/chain/local-chain.ts';
import { onlyPlaces, placeOf, resolveNothing } from '../../src/sandbox/open-places.ts';

const CAPS = {
  perCall: microUsd(100_000n),
  perDay: microUsd(1_000_000n),
  total: microUsd(20_000_000n),
};

export interface Run {
  readonly only?: readonly Service[] | null;
  readonly caps?: Partial<typeof CAPS>;
  readonly dryRun?: boolean;
  readonly buyer?: number;
  readonly changes?: Partial<RunPorts>;
}

interface Place {
  readonly chain: LocalChain;
  readonly store: Store;
  /** Sellers that may be reached. */
  readonly urls: readonly string[];
}

/** One round of the real runner over these services; answers what it told of each. */
export async function verifyOn(
  { chain, store, urls }: Place,
  all: readonly Service[],
  { only = null, caps = {}, dryRun = false, buyer = 0, changes = {} }: Run = {},
): Promise<Readonly<Record<string, Verified>>> {
  const parts = await createRunner({
    store,
    outbound: createOutbound({
      policy: onlyPlaces(urls.map(placeOf)),
      resolve: resolveNothing,
      resolveText: async () => [],
      dial: dialDirectly,
      userAgent: 'Assay-Prober/0 (test)',
    }),
    authorizationLog: createAuthorizationLog({ rpcUrl: chain.rpcUrl }),
    rpcUrl: chain.rpcUrl,
    buyerKey: dryRun ? null : (chain.accounts.buyers[buyer]?.key ?? null),
    caps: { ...CAPS, ...caps },
    now: () => new Date(),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    stopwatch: () => performance.now(),
    entropy: (bytes) => randomBytes(bytes),
  });
  const told: Record<string, Verified> = {};
  const onVerified = (service: Service, verified: Verified) => {
    told[service.id] = verified;
  };
  const onFault = (fault: unknown) => {
    throw fault;
  };
  await runKnownAnswers(all, { only }, { ...parts, onFault, ...changes, onVerified });
  return told;
}
