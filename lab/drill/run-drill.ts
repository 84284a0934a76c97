import { setTimeout as wait } from 'node:timers/promises';
import { createStops } from '../../src/sandbox/stops.ts';
import { freePort } from '../../tools/free-port.ts';
import { createChance } from '../chaos/chance.ts';
import { checkLog } from '../chaos/check/check-log.ts';
import { checkPayments } from '../chaos/check/check-payments.ts';
import { checkService } from '../chaos/check/check-service.ts';
import type { Violation } from '../chaos/check/violation.ts';
import { createClients } from '../chaos/clients.ts';
import { type GatherParts, readReceipts, untilReconciled } from '../chaos/gather.ts';
import { gatherEvidence } from '../chaos/gather-evidence.ts';
import { type FaultNote, newJournal } from '../chaos/journal.ts';
import { runTraffic } from '../chaos/traffic.ts';
import { openLine } from '../world/callers.ts';
import { createProxy } from '../world/proxy.ts';
import { startWitness } from '../world/witness.ts';
import { createWorker } from '../world/workers.ts';
import { startWorld } from '../world/world.ts';
import { type BrokenPart, brokenParts } from './broken-parts.ts';
import { drillBackup } from './drill-backup.ts';
import { type Alarms, startPrometheus } from './prometheus.ts';

export interface DrillOptions {
  /** Parts by name; all when it is left out. */
  readonly only?: readonly string[];
  readonly say: (line: string) => void;
}

export interface DrillRow {
  readonly part: string;
  readonly alarm: string;
  readonly step: string;
  readonly alarmSeconds: number;
  readonly recoverySeconds: number;
  /** Receipts that were acknowledged and are not served by every replica afterwards. */
  readonly lost: number;
}

export interface DrillResult {
  readonly rows: readonly DrillRow[];
  readonly violations: readonly Violation[];
  readonly requests: number;
  readonly transfers: number;
  readonly receipts: number;
}

const LANES = 2;
const SEED = 1;
/** A witness that was away is asked once a minute in the end. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 250;
const SETTINGS = { PAID_CHECKS_PER_HOUR: '100000', PRICED_PROBES_PER_HOUR: '100000' };

/** Breaks one part after the other under light traffic, waits for its alarm, does what the runbook says, and reads the books. */
export async function runDrill({ only, say }: DrillOptions): Promise<DrillResult> {
  const stops = createStops();
  const journal = newJournal();
  const onFall = (what: string) => journal.falls.push(what);
  const now = () => Date.now();
  const over = { traffic: false };
  try {
    const metricsPorts = [await freePort(), await freePort()];
    const alarms = await startPrometheus(metricsPorts);
    stops.add(alarms.stop);
    const witness = await startWitness();
    stops.add(witness.stop);
    const proxyPort = await freePort();
    const settings = { ...SETTINGS, ...witness.settings, BASE_URL: `http://127.0.0.1:${proxyPort}` };
    const world = await startWorld({ store: 'postgres', replicas: 2, settings, metricsPorts, onFall });
    stops.add(world.stop);
    const proxy = createProxy(proxyPort, world.replicas);
    await proxy.start();
    stops.add(proxy.kill);
    const [crawler, verifier] = (['crawler', 'verifier'] as const).map((name) =>
      createWorker(name, { ...world, onFall }),
    );
    if (crawler === undefined || verifier === undefined) throw new Error('there are two workers');
    for (const worker of [crawler, verifier]) {
      await worker.start();
      stops.add(worker.kill);
    }
    const line = openLine();
    stops.add(line.close);
    const clients = createClients({ replicas: [proxy], line, journal, now });
    const isOver = () => over.traffic;
    const chance = createChance(SEED);
    const { buyers, surroundings, database } = world;
    const traffic = runTraffic({ clients, journal, buyers, ...surroundings, chance, isOver }, LANES);
    const gathering = { world, clients, journal, now };
    say('everything runs; waiting until no alarm fires');
    await untilFiring(alarms, (firing) => firing.size === 0);
    const rows: DrillRow[] = [];
    const parts = brokenParts({ world, proxy, witness, crawler, verifier });
    for (const group of inTurn(parts.filter(({ part }) => only?.includes(part) ?? true))) {
      rows.push(...(await Promise.all(group.map((part) => drillPart(part, alarms, gathering)))));
      for (const { part } of group) say(`${part}: done`);
    }
    if (only === undefined || only.includes('backup')) {
      const drilled = await drillBackup(database, journal.receipts);
      rows.push({ part: 'backup', alarm: 'no new file', step: 'run it again', ...drilled });
    }
    over.traffic = true;
    await traffic;
    await crawler.kill();
    await verifier.kill();
    say('traffic is over; reading the books');
    return { rows, ...(await readBooks(gathering)) };
  } finally {
    over.traffic = true;
    await stops.stopAll();
  }
}

/** Parts whose alarms are about their age take longest, and have nothing to do with each other: they are broken together. */
function inTurn(parts: readonly BrokenPart[]): readonly (readonly BrokenPart[])[] {
  const isSlow = ({ alarm }: BrokenPart) => AGES.has(alarm);
  return [...parts.filter((part) => !isSlow(part)).map((part) => [part]), parts.filter(isSlow)];
}

const AGES: ReadonlySet<string> = new Set(['AssayWitnessSilent', 'AssayCrawlOld', 'AssayPaidCallsOld']);

async function drillPart(part: BrokenPart, alarms: Alarms, parts: GatherParts): Promise<DrillRow> {
  const { journal, now } = parts;
  await untilCalm(part, alarms, parts);
  const fault: FaultNote = {
    name: part.part,
    replica: null,
    over: 'stored',
    startedAt: now(),
    endedAt: null,
  };
  journal.faults.push(fault);
  await part.break();
  await untilFiring(alarms, (firing) => firing.has(part.alarm), part);
  const alarmAt = now();
  await part.mend();
  fault.endedAt = now();
  await untilFiring(alarms, (firing) => !firing.has(part.alarm), part);
  const recoveredAt = now();
  const readings = await readReceipts(parts);
  return {
    part: part.part,
    alarm: part.alarm,
    step: part.step,
    alarmSeconds: (alarmAt - fault.startedAt) / 1_000,
    recoverySeconds: (recoveredAt - alarmAt) / 1_000,
    lost: new Set(readings.filter(({ status }) => status === 404 || status === 410).map(({ id }) => id)).size,
  };
}

/** What is left of the part before must not be taken for the work of this one: no alarm is near, and callers are served. */
async function untilCalm({ alarm, part }: BrokenPart, alarms: Alarms, { journal, now }: GatherParts) {
  const startedAt = now();
  const isServed = () =>
    journal.requests.some(({ status, startedAt: asked }) => status === 200 && asked > startedAt);
  while ((await alarms.raised()).has(alarm) || !isServed()) {
    if (now() - startedAt > PATIENCE_MS) throw new Error(`${alarm} is up before ${part} was broken`);
    await wait(LOOK_MS);
  }
}

async function untilFiring(
  alarms: Alarms,
  isSo: (firing: ReadonlySet<string>) => boolean,
  part?: BrokenPart,
): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const firing = await alarms.firing();
    if (isSo(firing)) return;
    if (Date.now() > giveUpAt) {
      const what = part === undefined ? 'nothing was broken' : `${part.part} was broken`;
      throw new Error(
        `${what}, and after two minutes these alarms fire: ${[...firing].join(', ') || 'none'}`,
      );
    }
    await wait(LOOK_MS);
  }
}

async function readBooks(parts: GatherParts): Promise<Omit<DrillResult, 'rows'>> {
  const { journal } = parts;
  await untilReconciled(parts);
  const evidence = { ...(await gatherEvidence(parts, false)), taken: [], held: null };
  return {
    violations: [...checkPayments(evidence), ...checkService(evidence), ...checkLog(evidence)],
    requests: journal.requests.length,
    transfers: evidence.transfers.length,
    receipts: journal.receipts.size,
  };
}
