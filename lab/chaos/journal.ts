import type { ChargeStep } from '../../src/flows/pay/charge.ts';
import type { Signed } from '../world/buyers.ts';
import type { Way } from '../world/mcp-line.ts';

/** What the clients and the schedule wrote down while it happened. Times are those of this machine. */
export interface Journal {
  readonly requests: RequestNote[];
  readonly purchases: PurchaseNote[];
  readonly freeUses: FreeUse[];
  /** Receipts that an answer named. */
  readonly receipts: Set<string>;
  /** The hashes that their answers promised, in hex. */
  readonly promised: Map<string, string>;
  /** Checkpoints of the log, as clients got them. */
  readonly checkpoints: Set<string>;
  readonly faults: FaultNote[];
  /** Processes that ended and that nobody had ended. */
  readonly falls: string[];
  /** Clients that were slow on purpose, by kind: how many there were, and how many the service let go. */
  readonly slow: { readonly kind: string; readonly opened: number; readonly cut: number }[];
}

export interface RequestNote {
  readonly what: string;
  readonly replica: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Of the problem body. */
  readonly code: string | null;
}

export interface PurchaseNote {
  readonly path: string;
  readonly way: Way;
  readonly caller: number;
  /** One after the other; a client signs another one only when the last was not charged. */
  readonly payments: PaymentNote[];
}

export interface PaymentNote {
  readonly signed: Signed;
  readonly signedAt: number;
  /** All answers to it, in order; null where none came. */
  readonly said: (Said | null)[];
}

export interface Said {
  readonly replica: string;
  readonly status: number;
  readonly at: number;
  /** Whether the answer says that it was paid for. */
  readonly isPaid: boolean;
  readonly text: string;
  /** The settlement header. */
  readonly settlement: string | null;
}

export type FreeKind = 'lookup' | 'check' | 'dry_run';

export interface FreeUse {
  readonly kind: FreeKind;
  readonly caller: number;
  /** The UTC day by the clock of whoever answered; null when that clock was moved meanwhile. */
  readonly day: string | null;
  readonly at: number;
  /** What the answer says is left. */
  readonly remaining: number | null;
}

export interface FaultNote {
  readonly name: string;
  /** The step of a charge after which a replica died. */
  readonly step?: ChargeStep;
  /** Whom it hit. */
  readonly replica: string | null;
  /** How the service shows that it is over: any answer of the replica, one that needs the store, or a paid one. */
  readonly over: 'answer' | 'stored' | 'paid';
  readonly startedAt: number;
  /** When it was undone. */
  endedAt: number | null;
}

export function newJournal(): Journal {
  return {
    requests: [],
    purchases: [],
    freeUses: [],
    receipts: new Set(),
    promised: new Map(),
    checkpoints: new Set(),
    faults: [],
    falls: [],
    slow: [],
  };
}
