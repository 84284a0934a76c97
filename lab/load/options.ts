import { parseArgs } from 'node:util';
import type { StoreKind } from '../world/database.ts';

export interface LoadOptions {
  /** How long the steady rate is offered. */
  readonly minutes: number;
  /** Of the capacity that was measured first. */
  readonly share: number;
  /** Requests a second instead of a share; then no capacity is measured. */
  readonly rate: number | null;
  readonly store: StoreKind;
  readonly replicas: number;
  readonly seed: number;
  readonly json: boolean;
}

const USAGE =
  'npm run load -- [--minutes 1] [--share 0.7] [--rate n] [--store postgres|sqlite] [--replicas 2] [--seed 1] [--json]';

export type OptionsReading =
  | { readonly kind: 'options'; readonly options: LoadOptions }
  | { readonly kind: 'invalid'; readonly problem: string };

export function readOptions(words: readonly string[]): OptionsReading {
  const values = parse(words);
  if (typeof values === 'string') return { kind: 'invalid', problem: values };
  const { store } = values;
  if (store !== 'postgres' && store !== 'sqlite') return invalid('--store must be postgres or sqlite');
  const [minutes, share, replicas, seed] = [values.minutes, values.share, values.replicas, values.seed].map(
    Number,
  );
  const rate = values.rate === undefined ? null : Number(values.rate);
  if (!isWithin(minutes, 0.05, 24 * 60)) return invalid('--minutes must be from 0.05 to 1440');
  if (!isWithin(share, 0.01, 2)) return invalid('--share must be from 0.01 to 2');
  if (rate !== null && !isWithin(rate, RATE_MIN, 100_000))
    return invalid(`--rate must be from ${RATE_MIN} to 100000`);
  if (!isWithin(replicas, 1, 8) || !Number.isInteger(replicas))
    return invalid('--replicas must be from 1 to 8');
  if (!isWithin(seed, 0, 2 ** 32 - 1)) return invalid('--seed must be a whole number');
  return { kind: 'options', options: { minutes, share, rate, store, replicas, seed, json: values.json } };
}

/** At fewer, five checks of one URL take longer than a seller's offer lasts, and a second probe would be right. */
const RATE_MIN = 10;

function isWithin(value: number | undefined, least: number, most: number): value is number {
  return value !== undefined && value >= least && value <= most;
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        minutes: { type: 'string', default: '1' },
        share: { type: 'string', default: '0.7' },
        rate: { type: 'string' },
        store: { type: 'string', default: 'postgres' },
        replicas: { type: 'string', default: '2' },
        seed: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (fault) {
    return String(fault instanceof Error ? fault.message : fault);
  }
}

function invalid(problem: string): OptionsReading {
  return { kind: 'invalid', problem: `${problem} (${USAGE})` };
}
