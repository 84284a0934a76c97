import { CRAWL_REQUESTS_PER_HOST } from '../core/limits.ts';
import { bell } from './bell.ts';

export interface HostLanesParts {
  /** Says in the store how many lanes there are. */
  readonly say: (lanes: number) => Promise<void>;
  /** How many callers are at the host. */
  readonly live: () => Promise<number>;
  /** False once nothing more may begin. */
  readonly goesOn: () => boolean;
}

/** The requests of the crawl to one host at once: three, less what callers have or want (gap G76). */
export interface HostLanes {
  /** Leaves to callers what they had when the host was taken. */
  leave(live: number): Promise<void>;
  /** Waits for a free lane; false when nothing more may begin. */
  enter(): Promise<boolean>;
  exit(): Promise<void>;
  /** A lane less while callers want one, and as many as they leave when nobody does. */
  tend(isWanted: boolean): Promise<void>;
  /** Whoever waits looks again whether it goes on. */
  wake(): void;
}

const ALL = CRAWL_REQUESTS_PER_HOST;

/**
 * The store never says less than what is under way: a lane ends before the store is told, and begins after it was told and
 * nobody had come meanwhile. Callers look at the lanes when they come, so that one of the two always sees the other.
 */
export function hostLanes({ say, live, goesOn }: HostLanesParts): HostLanes {
  // Whoever takes a host has all its lanes in the store.
  const state = { said: ALL, most: ALL, busy: 0 };
  const moved = bell();
  const inTurn = oneAfterTheOther();
  const tell = async (lanes: number) => {
    state.said = lanes;
    await say(lanes);
  };
  const narrow = () =>
    inTurn(async () => {
      if (state.said > state.most && state.busy <= state.most) await tell(state.most);
    });
  const widen = (goal: number) =>
    inTurn(async () => {
      const free = Math.min(goal, ALL - (await live()));
      if (free <= state.most) return;
      await tell(free);
      state.most = Math.max(state.most, Math.min(free, ALL - (await live())));
      if (state.said > state.most) await tell(state.most);
      moved.ring();
    });
  return {
    async leave(found) {
      state.most = Math.max(0, ALL - found);
      await narrow();
    },
    async enter() {
      while (goesOn() && state.busy >= state.most) await moved.rung();
      if (!goesOn()) return false;
      state.busy += 1;
      return true;
    },
    async exit() {
      state.busy -= 1;
      moved.ring();
      if (state.said > state.most) await narrow();
    },
    async tend(isWanted) {
      const goal = isWanted ? ALL - 1 : ALL;
      if (state.most < goal) return widen(goal);
      state.most = goal;
      if (state.said > goal) await narrow();
    },
    wake: () => moved.ring(),
  };
}

/** What the store is told arrives in the order in which it was decided. */
function oneAfterTheOther(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
