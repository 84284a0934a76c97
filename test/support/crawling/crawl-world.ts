import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Resolve } from '../../../src/adapters/probe/resolve.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import { rankLists } from '../../../src/core/crawl/merge-listed.ts';
import { urlKeyOf } from '../../../src/core/keyed-hash.ts';
import type { CrawlPorts } from '../../../src/flows/crawl/crawl-ports.ts';
import type { DiscoverySource } from '../../../src/ports/discovery.ts';
import { ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { listed, listedInput } from '../../../tools/samples/listed.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import { type FakeSeller, httpAnswer, startSeller } from '../probing/fake-seller.ts';
import { probingHarness } from '../probing/probing.ts';
import { SECRET } from '../running/running-service.ts';

const terms = (changes: object) => [header({ x402Version: 2, accepts: [{ ...ENTRY, ...changes }] })];

/** What endpoints of the generated world are like, and what a crawl must say of each. */
export const KINDS = {
  pay: { answer: httpAnswer(402, terms({})), verdict: 'pay', reason: 'matches listing' },
  dear: {
    answer: httpAnswer(402, terms({ amount: '50000' })),
    verdict: 'skip',
    reason: 'price mismatch: listed $0.01, 402 asks $0.05',
  },
  thief: {
    answer: httpAnswer(402, terms({ payTo: THIEF })),
    verdict: 'skip',
    reason: `pay_to mismatch: listed ${PAYEE}, 402 pays ${THIEF}`,
  },
  elsewhere: {
    answer: httpAnswer(402, terms({ network: 'eip155:84532' })),
    verdict: 'skip',
    reason: 'network mismatch: listed eip155:8453, 402 offers [eip155:84532]',
  },
  free: { answer: httpAnswer(200, [], '{}'), verdict: 'skip', reason: 'no 402 challenge (HTTP 200)' },
  down: { answer: httpAnswer(503, []), verdict: 'recheck', reason: 'server error (HTTP 503)' },
  picky: { answer: httpAnswer(402, terms({})), verdict: 'pay', reason: 'matches listing' },
  dead: { answer: null, verdict: 'skip', reason: 'dns lookup failed (host does not resolve)' },
  ':template': {
    answer: null,
    verdict: 'skip',
    reason: 'listing url is a path template, not a callable endpoint',
  },
} as const;

export type Kind = keyof typeof KINDS;

/** So many URLs over so many hosts, in two lists that overlap. The kind is the first word of the path. */
export function generatedRows(urls: number, hosts: number): readonly ListedEndpoint[] {
  const kinds = Object.keys(KINDS);
  return Array.from({ length: urls }, (_, n) => {
    const kind = kinds[n % kinds.length] ?? 'pay';
    const name = kind === 'dead' ? `dead-${n % hosts}.example` : `host-${n % hosts}.example`;
    const input = kind === 'picky' ? listedInput({ example: { query: [['q', 'x']], body: null } }) : null;
    const list = n % 5 === 0 ? 'second' : 'first';
    return listed(`http://${name}/${kind}/${n}`, { input, list, listedIn: [list] });
  });
}

/** What the sellers saw. */
export interface Seen {
  /** Requests for each path. */
  readonly requests: Map<string, number>;
  readonly inFlight: Map<string, number>;
  mostPerHost: number;
  paymentHeaders: number;
}

export interface CrawlWorld {
  readonly seen: Seen;
  readonly parts: (store: Store, changes?: Partial<CrawlPorts>) => CrawlPorts;
  close(): Promise<void>;
}

const ANSWER_AFTER_MS = 2;

/** All hosts are one server on loopback; it counts what each of them is asked at once. */
export async function startCrawlWorld(lists: readonly DiscoverySource[]): Promise<CrawlWorld> {
  const seen: Seen = { requests: new Map(), inFlight: new Map(), mostPerHost: 0, paymentHeaders: 0 };
  const seller: FakeSeller = await startSeller((socket, request) => answer(socket, request, seen));
  const resolve: Resolve = async (name) =>
    name.startsWith('dead-') ? { kind: 'not_found' } : { kind: 'addresses', addresses: [ownAddress(name)] };
  // Nobody hangs here, but sellers, crawl and store share one thread, which on a busy machine falls behind.
  const { openHost } = probingHarness(seller.port, { resolve, timeoutMs: 30_000 });
  let ids = 0;
  return {
    seen,
    parts: (store, changes = {}) => ({
      jobs: store.jobs,
      runs: store.runs,
      runLog: null,
      ...patientLeases(store),
      openEndpoints: store.openEndpoints,
      entropy: randomBytes,
      lists,
      openHost,
      keyOf: urlKeyOf(SECRET),
      rank: rankLists(lists.map(({ name }) => name)),
      isBlocked: () => false,
      limit: null,
      hostsAtOnce: 20,
      now: () => new Date(),
      wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
      stopwatch: () => performance.now(),
      newId: () => `id-${process.pid}-${++ids}-${Math.random().toString(36).slice(2)}`,
      onPhase: () => {},
      onReceipt: () => {},
      isStopped: () => false,
      ...changes,
    }),
    close: () => seller.close(),
  };
}

/** A worker that falls behind must not lose its host to another, or URLs would be asked for twice, rightly. */
const PATIENCE = 20;

/** Leases that the store keeps for longer than the crawl asks for; the crawl itself goes by what it asked for. */
function patientLeases({ crawlWork, slots }: Store): Pick<CrawlPorts, 'work' | 'slots'> {
  return {
    work: {
      ...crawlWork,
      take: (runId, owner, limit, leaseMs) => crawlWork.take(runId, owner, limit, PATIENCE * leaseMs),
      done: (holder, findings, leaseMs) => crawlWork.done(holder, findings, PATIENCE * leaseMs),
      renew: (hold, leaseMs) => crawlWork.renew(hold, PATIENCE * leaseMs),
    },
    slots: { ...slots, hold: (holder, limit, leaseMs) => slots.hold(holder, limit, PATIENCE * leaseMs) },
  };
}

function answer(socket: Socket, request: string, seen: Seen): void {
  const [, path = '/'] = /^\S+ (\S+)/.exec(request) ?? [];
  const [, host = ''] = /\r\nhost: (\S+)/i.exec(request) ?? [];
  const kind = path.split('/')[1] ?? '';
  seen.requests.set(path, (seen.requests.get(path) ?? 0) + 1);
  if (/payment-signature|x-payment/i.test(request)) seen.paymentHeaders += 1;
  const now = (seen.inFlight.get(host) ?? 0) + 1;
  seen.inFlight.set(host, now);
  seen.mostPerHost = Math.max(seen.mostPerHost, now);
  setTimeout(() => {
    seen.inFlight.set(host, (seen.inFlight.get(host) ?? 1) - 1);
    // A picky seller looks at the question before it asks for money.
    const isAsked = kind !== 'picky' || path.includes('?q=x');
    socket.write(isAsked ? (KINDS[asKind(kind)].answer ?? httpAnswer(404, [])) : httpAnswer(400, []));
  }, ANSWER_AFTER_MS);
}

function asKind(text: string): Kind {
  return Object.hasOwn(KINDS, text)
    ? (Object.keys(KINDS).find((kind): kind is Kind => kind === text) ?? 'free')
    : 'free';
}

/** A list that is what it is. */
export function listOf(name: string, rows: readonly ListedEndpoint[], fails = false): DiscoverySource {
  return {
    name,
    async *read() {
      for (let start = 0; start < rows.length; start += 300) {
        yield { kind: 'endpoints', endpoints: rows.slice(start, start + 300) };
      }
      const counts = { items: rows.length, leftOut: new Map(), announced: null };
      yield {
        kind: 'ended',
        outcome: fails
          ? { kind: 'failed', fault: { kind: 'unreachable' }, ...counts }
          : { kind: 'read', cut: null, ...counts },
      };
    },
  };
}
