export interface Joining<Landed, Result, Shared> {
  /** Uses what another flight has landed; null when this caller cannot use it. */
  readonly join: (landed: Landed) => Result | null;
  /** Runs the flight. `land` hands its finding to the callers that wait, before the flight has ended. */
  readonly start: (land: (landed: Landed) => void) => Promise<Result>;
  /** The part of a result that holds for every waiting caller when nothing was landed, such as a busy target. */
  readonly share: (result: Result) => Shared | null;
  /** The answer when too many callers wait already. */
  readonly crowded: () => Shared;
}

export interface Flights<Landed, Shared> {
  joinOrStart<Result>(key: string, joining: Joining<Landed, Result, Shared>): Promise<Result | Shared>;
}

/** Findings that one caller may refuse: odd spellings of one URL must not become a queue. */
const REFUSALS_MAX = 2;
/** Callers behind one slow URL. */
const WAITING_MAX = 100;

interface Flight<Landed, Shared> {
  /** Null when it ended without a finding. */
  readonly landed: Promise<Landed | null>;
  readonly ended: Promise<Shared | null>;
  waiting: number;
}

/** Single flight in which a caller may refuse what another caller's flight found, and then starts its own. */
export function createFlights<Landed, Shared>(): Flights<Landed, Shared> {
  const flights = new Map<string, Flight<Landed, Shared>>();
  const fly = <Result>(
    key: string,
    { start, share }: Pick<Joining<Landed, Result, Shared>, 'start' | 'share'>,
  ): Promise<Result> => {
    let land: (landed: Landed | null) => void = () => {};
    const landed = new Promise<Landed | null>((resolve) => {
      land = resolve;
    });
    const flight = start(land).finally(() => {
      flights.delete(key);
      land(null);
    });
    flights.set(key, { landed, ended: flight.then(share, () => null), waiting: 0 });
    return flight;
  };
  return {
    async joinOrStart(key, joining) {
      let refusals = 0;
      for (let other = flights.get(key); other !== undefined; other = flights.get(key)) {
        if (refusals === REFUSALS_MAX || other.waiting === WAITING_MAX) return joining.crowded();
        const joined = await joinFlight(other, joining);
        if (joined.kind === 'answer') return joined.answer;
        if (joined.kind === 'refused') refusals += 1;
      }
      return fly(key, joining);
    },
  };
}

type Joined<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** This caller cannot use the finding. */
  | { readonly kind: 'refused' }
  /** Nothing was found and nothing was sent: the other caller may have run out of quota, which says nothing about this one. */
  | { readonly kind: 'nothing' };

async function joinFlight<Landed, Result, Shared>(
  flight: Flight<Landed, Shared>,
  { join }: Pick<Joining<Landed, Result, Shared>, 'join'>,
): Promise<Joined<Result | Shared>> {
  flight.waiting += 1;
  try {
    const landed = await flight.landed;
    const joined = landed === null ? null : join(landed);
    if (joined !== null) return { kind: 'answer', answer: joined };
    const shared = await flight.ended;
    if (landed !== null) return { kind: 'refused' };
    return shared === null ? { kind: 'nothing' } : { kind: 'answer', answer: shared };
  } finally {
    flight.waiting -= 1;
  }
}
