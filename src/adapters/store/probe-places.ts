import { sql } from 'kysely';
import { decidePlace } from '../../core/access/place-decision.ts';
import type { AskedPlace, PlaceAnswer, ProbePlaces } from '../../ports/probe-places.ts';
import { forgetOldest } from './engine/forget-oldest.ts';
import { clock, leaseEnd } from './engine/lease-clock.ts';
import { runPrepared } from './engine/prepared.ts';
import type { Engine, Queries } from './engine/tables.ts';
import type { Writes } from './engine/writes.ts';
import { type CrawledHost, crawledHosts, disown, markWanted } from './places-beside-crawl.ts';
import { decodePlaces, encodePlaces, encodeWithoutEnd, type HeldPlace } from './places-codec.ts';

/**
 * One row for each host at which callers are, so that taking and giving back are one statement each while nobody else is
 * there. Rows of the crawl are always locked before the row of the places, so that no two wait for each other.
 */
export function sqlProbePlaces(database: Queries, writes: Writes, engine: Engine): ProbePlaces {
  return {
    async take(asked, leaseMs) {
      const first = await writes.one((queries) => takeFirst(queries, engine, asked, leaseMs));
      if (first) return 'taken';
      return writes.unit((queries) => takeBesideOthers(queries, engine, asked, leaseMs), {
        look: (queries) => lookForFlight(queries, engine, asked),
      });
    },
    async giveBack({ hostKey, holder }) {
      const query = database
        .deleteFrom('probe_places')
        .where('host_key', '=', hostKey)
        .where('sole_holder', '=', holder);
      const { numAffectedRows } = await writes.one((queries) =>
        runPrepared(queries, 'give_back_sole_place', query),
      );
      if (numAffectedRows === 0n) await writes.unit((queries) => leave(queries, engine, hostKey, holder));
    },
    async liveAt(hostKeys) {
      if (hostKeys.length === 0) return [];
      const rows = await database
        .selectFrom('probe_places')
        .select(['host_key', 'held', clock(engine).as('now')])
        .where('host_key', 'in', hostKeys)
        .execute();
      const counts = new Map(rows.map(({ host_key, held, now }) => [host_key, liveOf(held, now).length]));
      return hostKeys.map((hostKey) => counts.get(hostKey) ?? 0);
    },
    prune: (limit) =>
      writes.one((queries) =>
        forgetOldest(queries, engine, {
          table: 'probe_places',
          key: ['host_key'],
          where: sql<boolean>`until < (select ${clock(engine)})`,
          orderBy: ['until'],
          limit,
        }),
      ),
  };
}

/** Nobody is at the host, neither a caller nor the crawl: that is nearly always so, and takes one statement. */
async function takeFirst(
  queries: Queries,
  engine: Engine,
  { host, hostKey, holder, ...names }: AskedPlace,
  leaseMs: number,
): Promise<boolean> {
  // A number that SQLite was handed would be written with a decimal point.
  const until = sql<number>`cast(${leaseEnd(engine, leaseMs)} as bigint)`;
  const [before, after] = encodeWithoutEnd({ ...names, holder });
  const query = queries
    .with('crawled', () => crawledHosts(queries, engine, host))
    .insertInto('probe_places')
    .columns(['host_key', 'sole_holder', 'held', 'until'])
    .expression(
      queries
        .selectNoFrom([
          sql<string>`cast(${hostKey} as text)`.as('host_key'),
          sql<string>`cast(${holder} as text)`.as('sole_holder'),
          sql<string>`cast(${before} as text) || cast(${until} as text) || cast(${after} as text)`.as('held'),
          until.as('until'),
        ])
        .where(sql<boolean>`not exists (select 1 from crawled where owner is not null)`),
    )
    .onConflict((conflict) => conflict.column('host_key').doNothing())
    .returning('host_key');
  const { rows } = await runPrepared(queries, 'take_first_place', query);
  return rows.length > 0;
}

/** Somebody asks this very URL: nobody need be locked out to say so, and whoever waits for it asks several times. */
async function lookForFlight(
  queries: Queries,
  engine: Engine,
  { hostKey, flightKey }: AskedPlace,
): Promise<PlaceAnswer | null> {
  const query = placesAt(queries, engine, hostKey);
  const [row] = (await runPrepared(queries, 'places_at', query)).rows;
  const live = row === undefined ? [] : liveOf(row.held, row.now);
  return live.some((place) => place.flightKey === flightKey) ? 'in_flight' : null;
}

async function takeBesideOthers(
  queries: Queries,
  engine: Engine,
  asked: AskedPlace,
  leaseMs: number,
): Promise<PlaceAnswer> {
  const crawled = await crawledHosts(queries, engine, asked.host).execute();
  const { held, now } = await lockPlaces(queries, engine, asked.hostKey);
  const live = liveOf(held, now);
  const atWork = crawled.filter(({ lease_until }) => lease_until > now);
  const answer = decidePlace(
    asked,
    live,
    atWork.reduce((lanes, each) => lanes + inFlightAt(each), 0),
  );
  if (answer === 'crawled') await markWanted(queries, engine, atWork, now);
  if (answer !== 'taken') {
    await keep(queries, asked.hostKey, live);
    return answer;
  }
  // Whoever comes back to a host that it held too long must not find it as it was: somebody has been there.
  await disown(
    queries,
    crawled.filter(({ owner, lease_until }) => owner !== null && lease_until <= now),
  );
  const { flightKey, placeKey, holder } = asked;
  await keep(queries, asked.hostKey, [...live, { flightKey, placeKey, holder, until: now + leaseMs }]);
  return answer;
}

/** A URL that is in flight is not done yet. */
function inFlightAt({ lanes, urls_left }: CrawledHost): number {
  return Math.min(lanes, urls_left);
}

/** Makes the row when it is missing, so that there is something to lock. */
async function lockPlaces(queries: Queries, engine: Engine, hostKey: string) {
  return queries
    .insertInto('probe_places')
    .values({ host_key: hostKey, sole_holder: null, held: '[]', until: 0 })
    .onConflict((conflict) =>
      conflict.column('host_key').doUpdateSet(({ ref }) => ({ held: ref('probe_places.held') })),
    )
    .returning(['held', clock(engine).as('now')])
    .executeTakeFirstOrThrow();
}

async function leave(queries: Queries, engine: Engine, hostKey: string, holder: string): Promise<void> {
  const row = await placesAt(queries, engine, hostKey)
    .$if(engine === 'postgres', (rows) => rows.forUpdate())
    .executeTakeFirst();
  if (row === undefined) return;
  const others = liveOf(row.held, row.now).filter((place) => place.holder !== holder);
  await keep(queries, hostKey, others);
}

function placesAt(queries: Queries, engine: Engine, hostKey: string) {
  return queries
    .selectFrom('probe_places')
    .select(['held', clock(engine).as('now')])
    .where('host_key', '=', hostKey);
}

function liveOf(held: string, now: number): readonly HeldPlace[] {
  return decodePlaces(held).filter(({ until }) => until > now);
}

async function keep(queries: Queries, hostKey: string, places: readonly HeldPlace[]): Promise<void> {
  const [first, ...others] = places;
  if (first === undefined) {
    await queries.deleteFrom('probe_places').where('host_key', '=', hostKey).execute();
    return;
  }
  await queries
    .updateTable('probe_places')
    .set({
      sole_holder: others.length === 0 ? first.holder : null,
      held: encodePlaces(places),
      until: Math.max(...places.map(({ until }) => until)),
    })
    .where('host_key', '=', hostKey)
    .execute();
}
