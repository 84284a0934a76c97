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

/** A person on a terminal should not wait for more lines. */
const GATHERS: Readonly<Record<LogFormat, number>> = { json: 65_536, text: 1 };

/** One line per event. */
export function createLog(
  level: string,
  { format: wanted = null, fd = 1, colour = false }: LogOptions = {},
): Log {
  const format = wanted ?? (isatty(fd) ? 'text' : 'json');
  const output = createLogOutput(fd, { gathers: GATHERS[format] });
  process.on('exit', output.end);
  const print = (line: string) => output.write(textLine(line, colour));
  const write = format === 'text' ? print : output.write;
  return Object.assign(pino({ level, base: null }, { write }), { format });
}
