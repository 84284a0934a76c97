import type { Readable } from 'node:stream';
import type { Networks } from '../../core/access/networks.ts';
import type { Ask } from '../../wire/mcp/mcp-port.ts';
import type { Links } from '../../wire/responses/links.ts';

/** One request, with everything a route needs to answer it. */
export interface Exchange {
  readonly id: string;
  readonly method: string;
  /** Written by the caller; every character is possible. */
  readonly path: string;
  /** Everything after the question mark. */
  readonly query: string;
  /** Read only by the routes that take a body. */
  readonly body: Readable;
  /** While it waits for the caller, such as for the body, the request takes no slot from other callers. */
  idle<T>(wait: Promise<T>): Promise<T>;
  /** Links under the public address that the caller used (gap G80). */
  readonly links: Links;
  /** The caller's address behind trusted proxies (gap G03); empty when there is none. */
  callerAddress(): string;
  /** The networks of that address, which have limits of their own (gap G102). */
  networks(): Networks;
  header(name: string): string | null;
  /** True for what /mcp asks: words of sellers are left out, because a model reads the answer (gap G49). */
  readonly isForModel: boolean;
  /** Asks another route on behalf of the same caller; only the tools of /mcp do. */
  readonly ask: Ask;
  /** Filled by the route: called once the answer has been written out completely. */
  readonly written: (() => Promise<void>)[];
  /**
   * What the answer counts for in the minute of its caller (gap G102). A route raises it where the answer costs as much as many
   * others, and sets it to 0 for a verdict, which has quotas of its own, and for what it sold. Nothing else limits the rest.
   */
  readonly cost: { reads: number };
  /** Filled by the route, for the log and the metrics. */
  readonly facts: RequestFacts;
}

/** Fixed values only: nothing that a caller sent gets into a log line. */
export interface RequestFacts {
  route?: string;
  tier?: 'free' | 'paid' | 'exempt' | 'unpaid';
  verdict?: string;
  reason?: string;
  code?: string;
}
