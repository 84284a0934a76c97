import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { createLogOutput } from './log-output.ts';
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

/** One line per event. */
export function createLog(
  level: string,
  { format: wanted = null, fd = 1, colour = false }: LogOptions = {},
): Log {
  const output = createLogOutput(fd);
  const format = wanted ?? (isatty(fd) ? 'text' : 'json');
  const { write, takeRest } = gatherLines(output.write);
  process.on('exit', () => output.end(takeRest()));
  // A person on a terminal should not wait for the next flush.
  const print = (line: string) => output.write(textLine(line, colour));
  return Object.assign(pino({ level, base: null }, { write: format === 'text' ? print : write }), { format });
}

/** Each chunk costs a system call. */
function gatherLines(writeChunk: (chunk: string) => void) {
  const gathered: { lines: string[]; chars: number } = { lines: [], chars: 0 };
  const takeRest = (): string => {
    const chunk = gathered.lines.join('');
    gathered.lines = [];
    gathered.chars = 0;
    return chunk;
  };
  const flush = () => {
    if (gathered.chars > 0) writeChunk(takeRest());
  };
  setInterval(flush, FLUSH_MS).unref();
  return {
    takeRest,
    write(line: string) {
      gathered.lines.push(line);
      gathered.chars += line.length;
      if (gathered.chars >= CHUNK_CHARS) flush();
    },
  };
}
