export interface Joining<Found, Result, Shared> {
  /** Uses what another flight has found; null when this caller cannot use it. */
  readonly join: (found: Found) => Result | null;
  /** Runs the flight. `onFound` hands its finding to the callers that wait, before the flight has ended. */
  readonly start: (onFound: (found: Found) => void) => Promise<Result>;
  /** The part of a result that holds for every waiting caller when nothing was found, such as a busy target. */
  readonly share: (result: Result) => Shared | null;
  /** The answer when too many callers wait already. */
  readonly tooMany: () => Shared;
}

export type JoinOrStart<Found, Shared> = <Result>(
  key: string,
  joining: Joining<Found, Result, Shared>,
) => Promise<Result | Shared>;

/** Findings that one caller may refuse: odd spellings of one URL must not become a queue. */
const REFUSALS_MAX = 2;
/** Callers behind one slow URL. */
const WAITING_MAX = 100;

interface Flight<Found, Shared> {
  /** Null when it ended without a finding. */
  readonly found: Promise<Found | null>;
  readonly ended: Promise<Shared | null>;
  waiting: number;
}

/** Single flight in which a caller may refuse what another caller's flight found, and then starts its own. */
export function refusableFlight<Found, Shared>(): JoinOrStart<Found, Shared> {
  const flights = new Map<string, Flight<Found, Shared>>();
  const startFlight = <Result>(
    key: string,
    { start, share }: Pick<Joining<Found, Result, Shared>, 'start' | 'share'>,
  ): Promise<Result> => {
    let onFound: (found: Found | null) => void = () => {};
    const found = new Promise<Found | null>((resolve) => {
      onFound = resolve;
    });
    const flight = start(onFound).finally(() => {
      flights.delete(key);
      onFound(null);
    });
    flights.set(key, { found, ended: flight.then(share, () => null), waiting: 0 });
    return flight;
  };
  return async (key, joining) => {
    let refusals = 0;
    for (let other = flights.get(key); other !== undefined; other = flights.get(key)) {
      if (refusals === REFUSALS_MAX || other.waiting === WAITING_MAX) return joining.tooMany();
      const joined = await joinFlight(other, joining);
      if (joined.kind === 'answer') return joined.answer;
      if (joined.kind === 'refused') refusals += 1;
    }
    return startFlight(key, joining);
  };
}

type Joined<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** This caller cannot use the finding. */
  | { readonly kind: 'refused' }
  /** Nothing was found and nothing was sent: the other caller may have run out of quota, which says nothing about this one. */
  | { readonly kind: 'nothing' };

async function joinFlight<Found, Result, Shared>(
  flight: Flight<Found, Shared>,
  { join }: Pick<Joining<Found, Result, Shared>, 'join'>,
): Promise<Joined<Result | Shared>> {
  flight.waiting += 1;
  try {
    const found = await flight.found;
    const joined = found === null ? null : join(found);
    if (joined !== null) return { kind: 'answer', answer: joined };
    const shared = await flight.ended;
    if (found !== null) return { kind: 'refused' };
    return shared === null ? { kind: 'nothing' } : { kind: 'answer', answer: shared };
  } finally {
    flight.waiting -= 1;
  }
}
