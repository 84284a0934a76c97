import { projectFile } from '../../tools/project-file.ts';
import { createClients } from '../chaos/clients.ts';
import type { GatherParts } from '../chaos/gather.ts';
import { newJournal } from '../chaos/journal.ts';
import { createBuyer } from '../world/buyers.ts';
import { openLine } from '../world/callers.ts';
import type { Database } from '../world/database.ts';
import { createReplica, type Replica } from '../world/replicas.ts';
import { startSurroundings } from '../world/surroundings.ts';
import type { World } from '../world/world.ts';
import { startProxy } from './proxy.ts';

export interface Phase {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

const DRAIN_SECONDS = 3;

export type Setup = Awaited<ReturnType<typeof setUp>>;

/** Two replicas of each release, none of which runs yet, behind one proxy for all clients. */
export async function setUp(
  { oldRoot, say }: { readonly oldRoot: string; readonly say: (line: string) => void },
  database: Database,
  atEnd: (stop: () => Promise<void>) => void,
) {
  const journal = newJournal();
  const onFall = (what: string) => journal.falls.push(what);
  const now = () => Date.now();
  const surroundings = await startSurroundings({ onFall });
  atEnd(surroundings.stop);
  const proxy = await startProxy();
  atEnd(proxy.stop);
  const settings = {
    PAID_CHECKS_PER_HOUR: '100000',
    PRICED_PROBES_PER_HOUR: '100000',
    BASE_URL: proxy.address,
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const parts = { database, surroundings, settings, onFall };
  const make = async (n: number, root: string) => {
    const replica = await createReplica({ ...parts, name: `replica-${n}`, root });
    atEnd(replica.stop);
    return replica;
  };
  const newRoot = projectFile('.');
  const [old1, old2] = [await make(1, oldRoot), await make(2, oldRoot)];
  const [new1, new2] = [await make(3, newRoot), await make(4, newRoot)];
  const line = openLine();
  atEnd(line.close);
  const buyers = surroundings.buyerKeys.slice(0, -1).map(createBuyer);
  const clients = createClients({ replicas: [proxy], line, journal, now });
  const gathering = (...replicas: Replica[]): GatherParts => {
    const world: World = { database, surroundings, replicas, buyers, stop: async () => {} };
    return { world, clients, journal, now };
  };
  const phases: Phase[] = [];
  const phase = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = now();
    const result = await work();
    phases.push({ name, startedAt, endedAt: now() });
    say(`${name}: ${now() - startedAt} ms`);
    return result;
  };
  const replicas = { old1, old2, new1, new2 };
  return { ...parts, ...replicas, parts, journal, proxy, line, buyers, clients, gathering, phases, phase };
}
