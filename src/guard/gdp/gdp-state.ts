import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { Caip2 } from '../../core/x402/networks.ts';

/** As the guard's own default. */
export const LIFE_MAX_SECONDS = 900;

/** One payment that may be signed: exactly these terms. */
export interface Approval {
  readonly url: string;
  readonly host: string;
  readonly network: Caip2;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: MicroUsd;
}

/** The task of a run, as far as the rules need it. */
export interface GdpPolicy {
  readonly network: Caip2;
  readonly budget: MicroUsd;
  readonly hosts: readonly string[];
  readonly hostMode: string | undefined;
  readonly wallet: string;
}

/** What is known between two messages. */
export interface GdpState {
  /** Null before `hello`: nothing is allowed then. */
  readonly policy: GdpPolicy | null;
  /** Approved and not signed yet, oldest first. */
  readonly approved: readonly Approval[];
  /** Whether or not the driver's history has them. */
  readonly signed: readonly Approval[];
  /** The lowest price that a page named for a URL: a later page that names none does not take it back. */
  readonly prices: ReadonlyMap<string, MicroUsd>;
}

export const NEW_SESSION: GdpState = { policy: null, approved: [], signed: [], prices: new Map() };
