import { readdirSync, readFileSync } from 'node:fs';

/** What the processes of the world took at one moment, by name. */
export interface Sample {
  readonly atMs: number;
  readonly processes: Readonly<Record<string, Resources>>;
}

export interface Resources {
  /** Of PostgreSQL only what its processes do not share. */
  readonly bytes: number;
  readonly openFiles: number;
  readonly cpuSeconds: number;
}

export interface Watch {
  /** Everything since the last time this was asked. */
  take(): readonly Sample[];
  now(): Sample;
  stop(): void;
}

/** Looking takes a core for some milliseconds, which everybody who is being measured waits for. */
const EVERY_MS = 5_000;
const TICKS_PER_SECOND = 100;

/** Looks at all processes that came from this one, now and then. */
export function watchProcesses(): Watch {
  const samples: Sample[] = [];
  const timer = setInterval(() => samples.push(sample()), EVERY_MS);
  return { take: () => samples.splice(0), now: sample, stop: () => clearInterval(timer) };
}

function sample(): Sample {
  const processes: Record<string, { bytes: number; openFiles: number; cpuSeconds: number }> = {};
  const counts = new Map<string, number>();
  for (const each of descendants().flatMap(resourcesOf)) {
    // PostgreSQL is many processes and one thing; of the others each counts for itself.
    const count = (counts.get(each.name) ?? 0) + 1;
    counts.set(each.name, count);
    const key = each.name === POSTGRES || count === 1 ? each.name : `${each.name} ${count}`;
    const so = processes[key] ?? { bytes: 0, openFiles: 0, cpuSeconds: 0 };
    processes[key] = {
      bytes: so.bytes + each.bytes,
      openFiles: so.openFiles + each.openFiles,
      cpuSeconds: so.cpuSeconds + each.cpuSeconds,
    };
  }
  return { atMs: performance.now(), processes };
}

const POSTGRES = 'postgres';

/** The rest of /proc/<pid>/stat behind the name, in which anything may stand. */
interface Stat {
  readonly pid: number;
  readonly name: string;
  readonly fields: readonly string[];
}

function descendants(): readonly Stat[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const known = names.flatMap((name) => statOf(Number(name)));
  const ours = new Set([process.pid]);
  for (let before = 0; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, fields } of known) if (ours.has(Number(fields[1]))) ours.add(pid);
  }
  return known.filter(({ pid }) => ours.has(pid) && pid !== process.pid);
}

function statOf(pid: number): readonly Stat[] {
  return unlessGone(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(') ');
    return { pid, name: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') };
  });
}

function resourcesOf({ pid, name, fields }: Stat) {
  const isPostgres = name === POSTGRES;
  return unlessGone(() => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const program = words.find((word) => /\.m?js$/.test(word)) ?? words[0] ?? '';
    const kilobytes = new RegExp(`^${isPostgres ? 'RssAnon' : 'VmRSS'}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    // With connections come and go processes of the server, which took time as well.
    const ticks = isPostgres ? fields.slice(11, 15) : fields.slice(11, 13);
    return {
      name: isPostgres ? POSTGRES : program.replace(/^.*\/|\.m?js$/g, ''),
      bytes: Number(kilobytes ?? 0) * 1_024,
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
      cpuSeconds: ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND,
    };
  });
}

/** Nothing of a process that ended while we were looking. */
function unlessGone<T>(look: () => T): readonly T[] {
  try {
    return [look()];
  } catch {
    return [];
  }
}

/**
 * How memory went: what a process falls back to in the second half, against the first. Between two whole collections it grows
 * for minutes, sometimes by half, and then falls back; only what stays is growth. So the lowest of five parts stands for a half.
 */
export interface Growth {
  readonly name: string;
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly ratio: number;
  /** The medians of ten parts. */
  readonly course: readonly number[];
  readonly openFiles: number;
}

const PARTS = 10;

export function growthIn(samples: readonly Sample[]): readonly Growth[] {
  const names = new Set(samples.flatMap(({ processes }) => Object.keys(processes)));
  return [...names].sort().map((name) => {
    const bytesOf = ({ processes }: Sample) => processes[name]?.bytes ?? [];
    const course = inParts(samples, PARTS).map((part) => middle(part.flatMap(bytesOf)));
    const firstBytes = Math.min(...course.slice(0, PARTS / 2));
    const lastBytes = Math.min(...course.slice(PARTS / 2));
    const openFiles = samples.at(-1)?.processes[name]?.openFiles ?? 0;
    return { name, firstBytes, lastBytes, ratio: lastBytes / firstBytes, course, openFiles };
  });
}

function inParts<T>(items: readonly T[], parts: number): readonly (readonly T[])[] {
  const borders = Array.from({ length: parts + 1 }, (_, n) => Math.round((n * items.length) / parts));
  return borders.slice(1).map((end, n) => items.slice(borders[n], end));
}

function middle(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
