import { destination, type Logger, pino } from 'pino';

/** What is told of every request; our own words and numbers only. */
export interface RequestLine {
  readonly id: string;
  /** The caller's own id of what this request is a part of, where it sent one. */
  readonly trace: string | undefined;
  readonly method: string;
  readonly route: string;
  readonly tier: string | undefined;
  readonly verdict: string | undefined;
  readonly reason: string | undefined;
  readonly code: string | undefined;
  readonly status: number;
  readonly ms: number;
}

export interface Log extends Pick<Logger, 'info' | 'warn' | 'error'> {
  request(line: RequestLine): void;
}

/** About 32 kB. */
const GROUP_LINES = 200;
const FLUSH_MS = 1_000;

/** One JSON line per event on standard output, unless that belongs to somebody else. Lines of requests are written in groups, and the rest of them at the end. */
export function createLog(level: string, dest: 1 | 2 = 1): Log {
  const stream = destination({ dest, sync: false });
  const log = pino({ level, base: null }, stream);
  const isTold = log.isLevelEnabled('info');
  // Put into words when they are written: the same for many in a row costs a fraction of it between two answers.
  const waiting: TimedLine[] = [];
  const timeText = lastWritten();
  const write = () => {
    if (waiting.length === 0) return;
    stream.write(waiting.map(({ line, time }) => requestText(line, timeText(time))).join(''));
    waiting.length = 0;
  };
  // A quiet service must show its lines, too.
  setInterval(write, FLUSH_MS).unref();
  process.on('exit', () => {
    write();
    stream.flushSync();
  });
  return {
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    request(line) {
      if (!isTold) return;
      waiting.push({ line, time: Date.now() });
      if (waiting.length >= GROUP_LINES) write();
    },
  };
}

/**
 * A line as pino writes it, put together by hand: it is written for every request, and nothing in it needs escaping. Ids,
 * routes and codes are ours, and a method is one of those that Node's parser knows.
 */
export function requestText(line: RequestLine, time: string): string {
  const { id, trace, method, route, tier, verdict, reason, code, status, ms } = line;
  const tenths = Math.round(ms * 10);
  let text = `{"level":30,"time":${time},"id":"${id}","method":"${method}","route":"${route}"`;
  if (trace !== undefined) text += `,"trace":"${trace}"`;
  if (tier !== undefined) text += `,"tier":"${tier}"`;
  if (verdict !== undefined) text += `,"verdict":"${verdict}"`;
  if (reason !== undefined) text += `,"reason":"${reason}"`;
  if (code !== undefined) text += `,"code":"${code}"`;
  return `${text},"status":${status},"ms":${TENTHS[tenths] ?? tenths / 10},"msg":"request"}\n`;
}

interface TimedLine {
  readonly line: RequestLine;
  readonly time: number;
}

/** A fraction takes long to write, and most answers take one of few times. */
const TENTHS: readonly string[] = Array.from({ length: 500 }, (_, tenths) => String(tenths / 10));

/** Many requests end within one millisecond. */
function lastWritten(): (time: number) => string {
  let last = { time: 0, text: '0' };
  return (time) => {
    if (time !== last.time) last = { time, text: String(time) };
    return last.text;
  };
}
