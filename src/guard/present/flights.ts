import type { Purchase } from '../ledger/purchase.ts';

/** One purchase that this process is working on, from its 402 to the answer. Concurrent callers of the same request share it. */
export interface Flight<T> {
  /** What the payer may sign for; null until it has the approved 402. */
  readonly shown: Purchase | null;
  /** The payer has the approved 402. Unless it signs soon, others no longer wait for it. */
  handOver(purchase: Purchase): void;
  /** From here on there will be an answer or a refusal. */
  sign(): void;
  answer(answer: T): void;
  /** Its caller gave up. Those who wait for the answer go on by themselves. */
  leave(): void;
  fail(refusal: unknown): void;
}

export interface Flights<T> {
  begin(key: string): Flight<T>;
  current(key: string): Flight<T> | null;
  /** The answer of the flight under way; null when there is none, or when its caller gave up. Rejects with its refusal. */
  join(key: string): Promise<{ readonly answer: T } | null>;
}

/** A payer that was shown a 402 and signs nothing may have given up: it may be out of funds, or have limits of its own. */
const SIGNED_WITHIN_MS = 2_000;

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, FlightUnderWay<T>>();
  return {
    begin(key) {
      const flight = beginFlight<T>(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
      flights.set(key, flight);
      return flight;
    },
    current: (key) => flights.get(key) ?? null,
    join: async (key) => flights.get(key)?.outcome ?? null,
  };
}

interface FlightUnderWay<T> extends Flight<T> {
  readonly outcome: Promise<{ readonly answer: T } | null>;
}

function beginFlight<T>(forget: () => void): FlightUnderWay<T> {
  let settle: (outcome: { readonly answer: T } | null) => void = () => {};
  let refuse: (refusal: unknown) => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: Purchase | null = null;
  const outcome = new Promise<{ readonly answer: T } | null>((resolve, reject) => {
    settle = resolve;
    refuse = reject;
  });
  // Waiting callers get the refusal; often there are none.
  outcome.catch(() => {});
  const end = (finish: () => void) => {
    clearTimeout(timer);
    forget();
    finish();
  };
  return {
    outcome,
    get shown() {
      return shown;
    },
    handOver(purchase) {
      shown = purchase;
      timer = setTimeout(() => end(() => settle(null)), SIGNED_WITHIN_MS);
      // A program that has nothing else to do may end.
      if (typeof timer === 'object') timer.unref();
    },
    sign: () => clearTimeout(timer),
    answer: (answer) => end(() => settle({ answer })),
    leave: () => end(() => settle(null)),
    fail: (refusal) => end(() => refuse(refusal)),
  };
}
