import type { Counter } from '../../../src/core/access/quota.ts';
import type { CounterStore } from '../../../src/ports/counter-store.ts';
import type { OpenEndpoints, ProbeCache, StoredProbe } from '../../../src/ports/probe-cache.ts';

/** The ports in memory, for flows under test; test/contract holds the real ones. */
export function memoryProbeCache(): ProbeCache & { readonly kept: Map<string, StoredProbe> } {
  const kept = new Map<string, StoredProbe>();
  return {
    kept,
    async find({ urlKey, method }, since) {
      const probe = kept.get(`${method} ${urlKey}`);
      return probe !== undefined && probe.probedAt >= since ? probe : null;
    },
    async keep({ urlKey, method }, probe) {
      kept.set(`${method} ${urlKey}`, probe);
    },
    async prune() {
      return 0;
    },
  };
}

export function memoryOpenEndpoints(): OpenEndpoints {
  const open = new Set<string>();
  return {
    isOpen: async (urlKey) => open.has(urlKey),
    async remember(urlKey) {
      open.add(urlKey);
    },
  };
}

export function memoryCounters(): CounterStore {
  const used = new Map<string, number>();
  const nameOf = ({ key, window, together }: Omit<Counter, 'limit'>) =>
    `${key} ${window} ${together ?? false}`;
  return {
    async reserve(counters) {
      const granted = counters.every((counter) => (used.get(nameOf(counter)) ?? 0) < counter.limit);
      if (granted)
        for (const counter of counters) used.set(nameOf(counter), (used.get(nameOf(counter)) ?? 0) + 1);
      return { granted, used: counters.map((counter) => used.get(nameOf(counter)) ?? 0) };
    },
    async used(counters) {
      return counters.map((counter) => used.get(nameOf(counter)) ?? 0);
    },
    async giveBack(counter) {
      used.set(nameOf(counter), Math.max(0, (used.get(nameOf(counter)) ?? 0) - 1));
    },
    async prune() {
      return 0;
    },
  };
}
