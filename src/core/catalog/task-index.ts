import type { MicroUsd } from '../money/micro-usd.ts';
import { parseTargetUrl } from '../url/target-url.ts';
import { buildLikeNames, type LikeNames } from './name-likeness.ts';
import type { Service } from './read-catalog.ts';
import { wordsOf } from './slug.ts';
import { buildWordIndex, type WordIndex } from './word-index.ts';

/** The catalog, arranged for lookups; built once per catalog. */
export interface TaskIndex {
  readonly services: readonly Service[];
  readonly byId: ReadonlyMap<string, Service>;
  readonly byUrl: ReadonlyMap<string, readonly Service[]>;
  readonly byTask: ReadonlyMap<string, readonly Service[]>;
  readonly byWords: WordIndex<Service>;
  readonly tasks: LikeNames;
}

export function buildTaskIndex(services: readonly Service[]): TaskIndex {
  const byUrl = new Map<string, Service[]>();
  const byTask = new Map<string, Service[]>();
  for (const service of services) {
    append(byUrl, service.endpoint.normalized, service);
    for (const task of new Set(service.tasks)) append(byTask, task, service);
  }
  return {
    services,
    byId: new Map(services.map((service) => [service.id, service])),
    byUrl,
    byTask,
    byWords: buildWordIndex(services, describingWords),
    tasks: buildLikeNames(byTask.keys(), TASK_LIKENESS_MIN),
  };
}

export interface TaskMatch {
  readonly services: readonly Service[];
  /** The nearest task names, when nothing matched. */
  readonly suggestions: readonly string[];
}

/** An exact task name; otherwise services whose words contain all words of the name (gap G21). */
export function matchTask(index: TaskIndex, taskSlug: string): TaskMatch {
  const exact = index.byTask.get(taskSlug);
  if (exact !== undefined) return { services: exact, suggestions: [] };
  const services = index.byWords.find(wordsOf(taskSlug));
  return { services, suggestions: services.length === 0 ? index.tasks.nearest(taskSlug, SUGGESTIONS) : [] };
}

const SUGGESTIONS = 5;
/** Below it names share letters by chance: image-generation and exchange-rate have 0.31, translate and rate 0.55. */
const TASK_LIKENESS_MIN = 0.6;

/** By service id, or by the whole URL; a prefix does not match (gap G22). */
export function matchEndpoint(index: TaskIndex, endpoint: string): readonly Service[] {
  const byId = index.byId.get(endpoint.toLowerCase());
  if (byId !== undefined) return [byId];
  const reading = parseTargetUrl(endpoint);
  return reading.kind === 'target' ? (index.byUrl.get(reading.target.normalized) ?? []) : [];
}

export function atOrBelow(services: readonly Service[], maxPrice: MicroUsd | null): readonly Service[] {
  return maxPrice === null ? services : services.filter(({ price }) => price <= maxPrice);
}

/** The map of /v1/tasks: task name to service ids, both sorted. */
export function taskNames(index: TaskIndex): ReadonlyMap<string, readonly string[]> {
  const names = [...index.byTask.keys()].sort();
  return new Map(names.map((name) => [name, (index.byTask.get(name) ?? []).map(({ id }) => id).sort()]));
}

function describingWords({ id, name, provider, category, description, tasks }: Service): string[] {
  return wordsOf([id, name, provider, category, description, ...tasks].join(' '));
}

function append(map: Map<string, Service[]>, key: string, service: Service): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [service]);
  else known.push(service);
}
