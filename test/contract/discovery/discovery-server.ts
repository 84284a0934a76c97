import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSources } from '../../../src/adapters/discovery/create-sources.ts';
import { loadLists } from '../../../src/adapters/discovery/load-lists.ts';
import type { ReadingParts } from '../../../src/adapters/discovery/read-page.ts';
import { READING_LIMITS, type ReadingLimits } from '../../../src/adapters/discovery/reading-limits.ts';
import type { ListOutcome } from '../../../src/core/crawl/list-outcome.ts';
import { readLists } from '../../../src/core/crawl/list-settings.ts';
import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import type { DiscoverySource } from '../../../src/ports/discovery.ts';
import { projectFile } from '../../../tools/project-file.ts';

export interface SeenRequest {
  /** Host, path and query as the list wrote them. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ListServer {
  readonly requests: readonly SeenRequest[];
  /** Every host of every list is this server. */
  readonly fetch: ReadingParts['fetch'];
  /** From now on this is what lists answer. */
  answer(how: Answer): void;
  stop(): Promise<void>;
}

export type Answer = (url: URL, response: ServerResponse, request: IncomingMessage) => void;

/** All the public web there is for a test: one server on loopback. */
export async function startListServer(): Promise<ListServer> {
  let requests: SeenRequest[] = [];
  let answer: Answer = (_, response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    const url = new URL(`https:/${request.url}`);
    requests.push({ url: url.href, headers: request.headers });
    answer(url, response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has no port');
  return {
    get requests() {
      return requests;
    },
    fetch: (url, init) => {
      const { host, pathname, search } = new URL(url);
      return fetch(`http://127.0.0.1:${address.port}/${host}${pathname}${search}`, init);
    },
    answer(how) {
      requests = [];
      answer = how;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface ReadOptions {
  readonly fetch: ReadingParts['fetch'];
  readonly limits?: Partial<ReadingLimits>;
  /** Every wait, in milliseconds; the clock moves on by them and by nothing else. */
  readonly waits?: number[];
}

const START = Date.parse('2026-11-15T00:00:00Z');

export function readingParts({ fetch, limits = {}, waits = [] }: ReadOptions): ReadingParts {
  let nowMs = START;
  return {
    fetch,
    wait: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
    random: () => 0.5,
    now: () => new Date(nowMs),
    limits: { ...READING_LIMITS, ...limits },
  };
}

/** A source from configuration data, as an operator would write it. */
export function sourceOf(data: object, options: ReadOptions): DiscoverySource {
  const reading = readLists([
    { name: 'a-list', format: 'json', url: 'https://list.example.com/api', ...data },
  ]);
  if (reading.kind === 'invalid') throw new Error(`${reading.field} ${reading.problem}`);
  const [source] = createSources(reading.lists, readingParts(options));
  if (source === undefined) throw new Error('one list is one source');
  return source;
}

/** Reads a list that comes with the program, as it is configured there. */
export function readShipped(server: ListServer, name: string, answer: Answer): Promise<Read> {
  server.answer(answer);
  const sources = createSources(loadLists(), readingParts({ fetch: server.fetch }));
  const source = sources.find((one) => one.name === name);
  if (source === undefined) throw new Error(`there is no list ${name}`);
  return readAll(source);
}

export function fixture(file: string): string {
  return readFileSync(projectFile(`fixtures/discovery/${file}`), 'utf8');
}

export interface Read {
  readonly endpoints: readonly ListedEndpoint[];
  readonly outcome: ListOutcome;
}

/** Reads to the end and makes sure that there is one, and nothing after it. */
export async function readAll(source: DiscoverySource, signal?: AbortSignal): Promise<Read> {
  const endpoints: ListedEndpoint[] = [];
  const outcomes: ListOutcome[] = [];
  for await (const part of source.read(signal)) {
    if (outcomes.length > 0) throw new Error('a part came after the end');
    if (part.kind === 'ended') outcomes.push(part.outcome);
    else endpoints.push(...part.endpoints);
  }
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('the reading did not end');
  return { endpoints, outcome };
}

/** An endpoint in one line: what was read of it, in the order of the fixture. */
export function shown({ method, target, claim, input, service }: ListedEndpoint) {
  const { price, network, payTo } = claim;
  return [method, target.href, price, network, payTo, input?.example ?? null, service ?? null];
}
