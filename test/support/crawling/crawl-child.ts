import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { encodeEndpoint } from '../../../src/adapters/store/crawl/crawl-work-codec.ts';
import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import { type FakeSeller, httpAnswer, startSeller } from '../probing/fake-seller.ts';
import { SECRET } from '../running/running-service.ts';
import type { Place } from '../storing/stores.ts';
import { KINDS, type Kind } from './crawl-world.ts';

/** `npm test` builds what it imports. */
const PROGRAM = fileURLToPath(new URL('./crawl-child.mjs', import.meta.url));

export interface CrawlTask {
  /** The run to help in; null to lead one. */
  readonly runId: string | null;
  /** All its names begin so. */
  readonly owner: string;
  readonly place: Place;
  readonly rows: readonly ListedEndpoint[];
  readonly sellerPort: number;
  readonly hostsAtOnce: number;
  /** How far its clock is ahead. */
  readonly aheadMs: number;
}

/** A worker of a crawl in a process of its own. */
export interface CrawlChild {
  /** Loaded, and waiting for its task. */
  ready(): Promise<void>;
  go(task: CrawlTask): void;
  /** Until it has told of so many receipts; throws when it ends before. */
  untilReceipts(count: number): Promise<void>;
  kill(): Promise<void>;
  /** Its last line, once it has ended by itself. */
  ended(): Promise<string>;
}

export function crawlChild(): CrawlChild {
  const child = spawn(process.execPath, [PROGRAM]);
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.text += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.errors += String(chunk);
  });
  // Whoever is killed early never reads its task.
  child.stdin.on('error', () => {});
  const over = { isOver: false };
  const closed = once(child, 'close').then(() => {
    over.isOver = true;
  });
  const lines = () => output.text.split('\n').slice(0, -1);
  const untilLines = async (count: number) => {
    while (lines().length < count) {
      if (over.isOver) throw new Error(`the process ended early: ${output.text.slice(-200)}${output.errors}`);
      await Promise.race([once(child.stdout, 'data'), closed]);
    }
  };
  return {
    ready: () => untilLines(1),
    go: ({ place, rows, ...task }) => {
      const told = { ...task, place: place.settings, rows: rows.map(encodeEndpoint), secret: SECRET };
      child.stdin.end(`${JSON.stringify(told)}\n`);
    },
    untilReceipts: (count) => untilLines(1 + count),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async ended() {
      await closed;
      if (child.exitCode !== 0) throw new Error(`the process failed: ${output.errors}`);
      return lines().at(-1) ?? '';
    },
  };
}

/** What a seller of many hosts was asked, by whichever process. */
export interface WatchedSeller extends Pick<FakeSeller, 'port' | 'close'> {
  /** Requests for each path, those with a query apart. */
  readonly asked: ReadonlyMap<string, number>;
  mostPerHost(): number;
}

/** Slow enough that a process can be killed in the middle. */
const ANSWER_AFTER_MS = 20;

/** The sellers of the generated world at a port that other processes know. */
export async function startWatchedSeller(
  answerAfterMs: (path: string) => number = () => ANSWER_AFTER_MS,
): Promise<WatchedSeller> {
  const asked = new Map<string, number>();
  const inFlight = new Map<string, number>();
  let most = 0;
  const { port, close } = await startSeller((socket, request) => {
    const [, path = '/'] = /^\S+ (\S+)/.exec(request) ?? [];
    const [, host = ''] = /\r\nhost: (\S+)/i.exec(request) ?? [];
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const now = (inFlight.get(host) ?? 0) + 1;
    inFlight.set(host, now);
    most = Math.max(most, now);
    let isOver = false;
    const over = () => {
      socket.off('close', over);
      if (!isOver) inFlight.set(host, (inFlight.get(host) ?? 1) - 1);
      isOver = true;
    };
    // Nobody waits any more when the one who asked is dead.
    socket.once('close', over);
    setTimeout(() => {
      over();
      socket.write(answerTo(path));
    }, answerAfterMs(path));
  });
  return { port, close, asked, mostPerHost: () => most };
}

function answerTo(path: string): Buffer {
  const name = path.split('/')[1];
  const kind = Object.keys(KINDS).find((known): known is Kind => known === name);
  if (kind === 'picky' && !path.includes('?q=x')) return httpAnswer(400, []);
  return (kind === undefined ? null : KINDS[kind].answer) ?? httpAnswer(404, []);
}
