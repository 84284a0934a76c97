import type { GatePolicy } from '../core/url/gate.ts';
import type { Prober } from '../ports/prober.ts';

/** Where lines go, and whether somebody is looking at them. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Cells in a line; 80 where nobody knows. */
  readonly columns: number;
  write(text: string): void;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Ends early when `stop` of the surroundings comes. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** How endpoints are looked at from this machine. */
export interface LocalReach {
  readonly policy: GatePolicy;
  readonly prober: Prober;
}

/** All that a command knows of the world; `main` brings the real one. */
export interface Surroundings {
  /** Results, for people or programs. */
  readonly out: Screen;
  /** Progress and notes, for people. */
  readonly notes: Screen;
  readonly input: Input;
  /** What the environment says. */
  readonly settings: {
    readonly server: string;
    /** False with NO_COLOR or a terminal that cannot move its cursor. */
    readonly colour: boolean;
    readonly cursor: boolean;
  };
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly wait: (milliseconds: number, stop: AbortSignal) => Promise<void>;
  /** Comes with Ctrl-C. */
  readonly stop: AbortSignal;
  readonly reach: () => Promise<LocalReach>;
}
