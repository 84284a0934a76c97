import type { GatePolicy } from '../core/url/gate.ts';
import type { LocatingProber } from '../ports/prober.ts';
import type { LintOutbound } from './lint/look-around.ts';

/** An output stream, and whether it is a terminal. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Cells in a line; 80 when unknown. */
  readonly columns: number;
  write(text: string): void;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Ends early on `stop`. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** How `--local` probes from this machine. */
export interface LocalOutbound {
  readonly policy: GatePolicy;
  readonly prober: LocatingProber;
}

/** Everything a command uses from outside; `main` passes the real one. */
export interface CommandContext {
  /** Results, for people or programs. */
  readonly out: Screen;
  /** Progress and notes, for people. */
  readonly notes: Screen;
  readonly input: Input;
  /** From the environment. */
  readonly settings: {
    readonly server: string;
    /** The self-test key in ASSAY_KEY, for that server; empty when it is not set. */
    readonly key: string;
    /** 'auto': on a terminal. */
    readonly colour: 'auto' | 'always' | 'never';
    /** Whether a bar may be drawn on a terminal. */
    readonly progress: boolean;
    /** The path of the policy file in ASSAY_GUARD; empty when it is not set. */
    readonly guardPolicy: string;
    /** Where programs keep files of their user: XDG_CONFIG_HOME, else ~/.config. */
    readonly configFolder: string;
  };
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly wait: (milliseconds: number, stop: AbortSignal) => Promise<void>;
  /** Aborts on Ctrl-C. */
  readonly stop: AbortSignal;
  readonly outbound: () => Promise<LocalOutbound>;
  /** The answer of a service in this process, on the store of `assay mcp`. */
  readonly askHere: (target: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** 'local' also reaches this machine and private networks: only an option that a person types leads to it. */
  readonly lintOutbound: (gate: 'public' | 'local') => Promise<LintOutbound>;
}
