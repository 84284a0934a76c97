import { write, writeSync } from 'node:fs';

/** Where the lines of a log go. */
export interface LogOutput {
  write(line: string): void;
  /** Writes what is left, without an event loop: the process ends. */
  end(): void;
}

export interface LogOutputOptions {
  /** Lines are gathered up to this size, but not longer than a second: each write wakes another thread. */
  readonly gathers: number;
  readonly writeTo?: WriteTo;
}

/** When nobody reads our output, or its disk is full, further lines are dropped. */
const WAITING_MAX_CHARS = 16_000_000;
/** Lines are put together up to this size. */
const CHUNK_CHARS = 65_536;
const GATHERED_MS = 1_000;
const AGAIN_MS = 100;
/** How often the end of a process tries a pipe that is full. */
const LAST_TRIES = 10;

type WriteTo = (
  fd: number,
  bytes: Buffer,
  done: (fault: NodeJS.ErrnoException | null, count: number) => void,
) => void;

interface Waiting {
  texts: string[];
  chars: number;
  /** What is left of the text that is being written. */
  rest: Buffer;
  /** `pausing`: the output has just refused it. */
  state: 'idle' | 'writing' | 'pausing';
}

/**
 * Writes beside the event loop, one chunk after the other, and tries again what the output does not take. Our own, because the
 * stream of pino ends the process on a full disk, or waits there for ever while it ends.
 */
export function createLogOutput(fd: number, { gathers, writeTo = write }: LogOutputOptions): LogOutput {
  const waiting: Waiting = { texts: [], chars: 0, rest: Buffer.alloc(0), state: 'idle' };
  const add = (line: string) => {
    if (waiting.chars + line.length > WAITING_MAX_CHARS) return;
    const last = waiting.texts.at(-1);
    if (last !== undefined && last.length < CHUNK_CHARS)
      waiting.texts[waiting.texts.length - 1] = last + line;
    else waiting.texts.push(line);
    waiting.chars += line.length;
  };
  const writeNext = () => {
    if (waiting.state !== 'idle' || !hasRest(waiting)) return;
    waiting.state = 'writing';
    writeTo(fd, waiting.rest, (fault, count) => {
      if (fault !== null) {
        waiting.state = 'pausing';
        setTimeout(goOn, AGAIN_MS).unref();
        return;
      }
      waiting.rest = waiting.rest.subarray(count);
      goOn();
    });
  };
  const writeDue = () => {
    if (waiting.rest.length > 0 || waiting.chars >= gathers) writeNext();
  };
  const goOn = () => {
    waiting.state = 'idle';
    writeDue();
  };
  setInterval(writeNext, GATHERED_MS).unref();
  return {
    write(line) {
      add(line);
      writeDue();
    },
    end() {
      // Another thread is writing it.
      if (waiting.state === 'writing') waiting.rest = Buffer.alloc(0);
      for (let tries = 1; hasRest(waiting) && tries <= LAST_TRIES; ) {
        try {
          waiting.rest = waiting.rest.subarray(writeSync(fd, waiting.rest));
        } catch (fault) {
          if (!isFull(fault)) return;
          tries += 1;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
        }
      }
    },
  };
}

/** Takes the next text when the last one is written. */
function hasRest(waiting: Waiting): boolean {
  if (waiting.rest.length > 0) return true;
  const text = waiting.texts.shift();
  if (text === undefined) return false;
  waiting.chars -= text.length;
  waiting.rest = Buffer.from(text);
  return true;
}

function isFull(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'EAGAIN';
}
