import { Readable } from 'node:stream';
import type { Exchange } from '../../src/http/exchange/exchange.ts';
import { linksAt } from '../../src/wire/responses/links.ts';

/** A request that nobody sent. */
export function exchangeOf(path: string, query: string): Exchange {
  return {
    id: 'bench',
    method: 'GET',
    path,
    query,
    body: Readable.from([]),
    written: [],
    cost: { reads: 1 },
    isForModel: false,
    idle: (wait) => wait,
    links: linksAt('https://assay.example.org'),
    networks: () => ({ prefix: '192.0.2.1', wide: null }),
    callerAddress: () => '',
    header: () => null,
    ask: () => Promise.reject(new Error('nobody asks here')),
    facts: {},
  };
}

export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The most processor time that passes before others have their turn. */
export function watchTurns(): () => number {
  const watch = { longest: 0, last: process.cpuUsage(), on: true };
  const turn = () => {
    watch.longest = Math.max(watch.longest, cpuMsSince(watch.last));
    watch.last = process.cpuUsage();
    if (watch.on) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    watch.on = false;
    return watch.longest;
  };
}
