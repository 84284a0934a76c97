import type { Readable } from 'node:stream';
import type { Ask } from '../../wire/mcp/mcp-port.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Answer } from '../answer.ts';

/** One request with everything a route wants to know about it. */
export interface Exchange {
  readonly id: string;
  readonly method: string;
  /** What stands behind the question mark. */
  readonly query: string;
  /** What follows the header fields; read by the routes that want it. */
  readonly body: Readable;
  /** Waits for the caller without taking the place of somebody who could be served meanwhile. */
  idle<T>(wait: Promise<T>): Promise<T>;
  /** Links under the public address that the caller used (gap G80). */
  readonly links: Links;
  /** The caller's address behind trusted proxies (gap G03); empty when there is none. */
  callerAddress(): string;
  header(name: string): string | null;
  /** Asks another route on behalf of the same caller; only a tool of /mcp does. */
  readonly ask: Ask;
  /** Filled by the route, for the log and the metrics. */
  readonly facts: RequestFacts;
}

/** Our own words only: no URL, no name and no header of a caller ever gets into a log line. */
export interface RequestFacts {
  route?: string;
  tier?: 'free' | 'paid' | 'exempt' | 'unpaid';
  verdict?: string;
  reason?: string;
  code?: string;
}

/** What answers one method of one path; `id` is the last segment where the path has a variable one. */
export type Handler = (exchange: Exchange, id: string) => Answer | Promise<Answer>;
