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
const CHUNK_CHARS = 8_192;
const FLUSH_MS = 1_000;
/** Buffer limit: when nobody reads our output, further lines are dropped. */
const WAITING_MAX_BYTES = 16_000_000;

/** One line per event. */
export function createLog(
  level: string,
  { format: wanted = null, fd = 1, colour = false }: LogOptions = {},
): Log {
  const stream = destination({ dest: fd, sync: false, maxLength: WAITING_MAX_BYTES });
  const format = wanted ?? (isatty(fd) ? 'text' : 'json');
  const { write, takeRest } = gatherLines((chunk) => stream.write(chunk));
  process.on('exit', () => {
    stream.flushSync();
    // The stream writes on another thread, which the process does not wait for any more.
    takeRest((rest) => destination({ dest: fd, sync: true }).write(rest));
  });
  // A person on a terminal should not wait for the next flush.
  const print = (line: string) => stream.write(textLine(line, colour));
  return Object.assign(pino({ level, base: null }, { write: format === 'text' ? print : write }), { format });
}

/** The stream could gather them itself, but measures all of its chunk again for every line. */
function gatherLines(writeChunk: (chunk: string) => void) {
  const gathered: { lines: string[]; chars: number } = { lines: [], chars: 0 };
  const take = (writeTo: (chunk: string) => void) => {
    if (gathered.chars === 0) return;
    const chunk = gathered.lines.join('');
    gathered.lines = [];
    gathered.chars = 0;
    writeTo(chunk);
  };
  setInterval(() => take(writeChunk), FLUSH_MS).unref();
  return {
    takeRest: take,
    write(line: string) {
      gathered.lines.push(line);
      gathered.chars += line.length;
      if (gathered.chars >= CHUNK_CHARS) take(writeChunk);
    },
  };
}
