import { isatty } from 'node:tty';
import { destination, type Logger, pino } from 'pino';
import { textLine } from './text-line.ts';

export interface Log extends Pick<Logger, 'info' | 'warn' | 'error'> {
  /** Text is for a person who watches. */
  readonly format: LogFormat;
}

export type LogFormat = 'json' | 'text';

export interface LogOptions {
  /** JSON by default, text on a terminal. */
  readonly format?: LogFormat | null;
  /** A file descriptor; standard output unless a protocol uses it. */
  readonly fd?: number;
  /** Text lines may be coloured. */
  readonly colour?: boolean;
}

/** Lines are written in chunks of this size, and at least once a second. */
const CHUNK_BYTES = 8_192;
const FLUSH_MS = 1_000;
/** Buffer limit: when nobody reads our output, further lines are dropped. */
const WAITING_MAX_BYTES = 16_000_000;

/** One line per event. */
export function createLog(
  level: string,
  { format: wanted = null, fd = 1, colour = false }: LogOptions = {},
): Log {
  const stream = destination({
    dest: fd,
    sync: false,
    minLength: CHUNK_BYTES,
    maxLength: WAITING_MAX_BYTES,
    periodicFlush: FLUSH_MS,
  });
  process.on('exit', () => stream.flushSync());
  const format = wanted ?? (isatty(fd) ? 'text' : 'json');
  // A person on a terminal should not wait for the next flush.
  const write = (line: string) => {
    stream.write(textLine(line, colour));
    stream.flush();
  };
  return Object.assign(pino({ level, base: null }, format === 'text' ? { write } : stream), { format });
}
