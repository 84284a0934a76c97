import { decodeEndpoint } from '../../../src/adapters/store/crawl/crawl-work-codec.ts';
import type { Place } from '../storing/stores.ts';
import type { WatchedSeller } from './crawl-child.ts';

/** Paths that a dead worker had asked for and not kept. */
export async function lostBy(
  place: Place,
  owner: string,
  { asked }: WatchedSeller,
): Promise<readonly string[]> {
  // What it sent last may not have arrived yet, or wait behind the timer of a process that is late.
  await new Promise((done) => setTimeout(done, 50));
  for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setImmediate(done));
  const known = new Set([...asked.keys()].map((path) => path.split('?')[0]));
  const rows = await place.ask(
    `select t.endpoint from crawl_targets t join crawl_hosts h on h.run_id = t.run_id and h.host = t.host
     where t.done = 0 and h.owner like '${owner}-%'`,
  );
  return rows
    .map(({ endpoint }) => new URL(decodeEndpoint(String(endpoint)).target.href).pathname)
    .filter((path) => known.has(path));
}

/** URLs of hosts that a dead worker holds. */
export async function leftTo(place: Place, owner: string): Promise<number> {
  const [{ left } = {}] = await place.ask(
    `select sum(urls_left) as left from crawl_hosts where owner like '${owner}-%'`,
  );
  return Number(left);
}

/** The time of its holds stands still, which is not long: on a busy machine it could be over before a test has looked. */
export async function freeze(place: Place, owner: string): Promise<void> {
  const [{ last } = {}] = await place.ask(
    `select max(lease_until) as last from crawl_hosts where owner like '${owner}-%'`,
  );
  if (Number(last) - Date.now() > 20_000) throw new Error('a dead worker holds its hosts for too long');
  await leaseUntil(place, owner, Date.now() + FROZEN_MS);
}

const FROZEN_MS = 3_600_000;

/** As if the time of its holds were over. */
export function lapse(place: Place, owner: string): Promise<void> {
  return leaseUntil(place, owner, 0);
}

async function leaseUntil(place: Place, owner: string, until: number): Promise<void> {
  await place.ask(`update crawl_hosts set lease_until = ${until} where owner like '${owner}-%'`);
}

/** The same for the lead, a minute at most, however wrong the clock of whoever had it. */
export async function lapseLead(place: Place): Promise<void> {
  const [{ last } = {}] = await place.ask(`select held_until as last from jobs where name = 'crawl'`);
  if (Number(last) - Date.now() > 60_000) throw new Error('a dead leader leads for too long');
  await place.ask(`update jobs set held_until = 0 where name = 'crawl'`);
}

/** Requests beyond the first that no loss explains. */
export function unexplained(
  asked: ReadonlyMap<string, number>,
  losses: readonly string[],
): readonly string[] {
  return [...asked].flatMap(([path, times]) => {
    const [bare] = path.split('?');
    const lost = losses.filter((one) => one === bare).length;
    return times > 1 + lost ? [`${path}: ${times} times, lost ${lost} times`] : [];
  });
}
