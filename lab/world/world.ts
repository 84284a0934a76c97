import { createStops } from '../../src/sandbox/stops.ts';
import { type Buyer, createBuyer } from './buyers.ts';
import { type Database, type DatabaseOptions, openDatabase, type StoreKind } from './database.ts';
import { createReplica, type Replica } from './replicas.ts';
import { type Surroundings, startSurroundings } from './surroundings.ts';

/** The service with everything it stands on, in processes of its own, on loopback only. */
export interface World {
  readonly database: Database;
  readonly surroundings: Surroundings;
  readonly replicas: readonly Replica[];
  /** All but the last of the sandbox's buyers; that one pays for the known-answer runner. */
  readonly buyers: readonly Buyer[];
  stop(): Promise<void>;
}

export interface WorldOptions extends DatabaseOptions {
  readonly store: StoreKind;
  readonly replicas: number;
  /** For the replicas, beside what they need. */
  readonly settings?: Readonly<Record<string, string>>;
  /** One for each replica, which then serves its metrics there. */
  readonly metricsPorts?: readonly number[];
  /** The replicas crawl, too. */
  readonly crawls?: boolean;
  /** Leaves the way to the facilitator out. */
  readonly direct?: boolean;
  /** Chain and facilitator run only when nobody else wants a core. Beside other busy programs they would never run. */
  readonly yields?: boolean;
  readonly onFall?: (what: string) => void;
}

/** The compiled programs of `dist/` are what runs: build first. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const {
    store,
    replicas: count,
    settings = {},
    metricsPorts = [],
    crawls = false,
    direct = false,
    yields = false,
    onFall = () => {},
  } = options;
  const replicas: Replica[] = [];
  const [outer, ground] = [createStops(), createStops()];
  const stop = async () => {
    await Promise.all(replicas.map((one) => one.stop()));
    await outer.stopAll().finally(ground.stopAll);
  };
  try {
    const database = await openDatabase(store, options);
    ground.add(database.stop);
    const surroundings = await startSurroundings({ direct, yields, onFall });
    outer.add(surroundings.stop);
    for (let n = 1; n <= count; n += 1) {
      const port = metricsPorts[n - 1];
      const own = port === undefined ? settings : { ...settings, METRICS_PORT: String(port) };
      const parts = { database, surroundings, settings: own, crawls, onFall };
      replicas.push(await createReplica({ name: `replica-${n}`, ...parts }));
    }
    // One after the other: the first one makes the tables.
    for (const replica of replicas) await replica.start();
    const buyers = surroundings.buyerKeys.slice(0, -1).map(createBuyer);
    return { database, surroundings, replicas, buyers, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
