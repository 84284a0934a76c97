import { Worker } from 'node:worker_threads';
import type { PaintPicture } from '../../ports/pictures/paint-picture.ts';

export interface PainterOptions {
  readonly onFault: (fault: unknown) => void;
  /** The program of the thread. */
  readonly thread?: URL;
  readonly waitingMax?: number;
  readonly timeLimitMs?: number;
  /** After a thread has died, for this long nothing is painted. */
  readonly pauseMs?: number;
  /** A thread that has painted nothing for this long ends. */
  readonly idleMs?: number;
}

export interface Painter {
  readonly paint: PaintPicture;
  close(): Promise<void>;
}

/** Only the bundle has it; the path is right for sources, compiled modules and the bundle alike, which are equally deep. */
const THREAD = new URL('../../../dist/bundle/node/painting-thread.js', import.meta.url);
/** About half a second of painting. */
const WAITING_MAX = 8;
/** A hundred times what a picture takes, and the start of the thread: for one that hangs. */
const TIME_LIMIT_MS = 20_000;
const PAUSE_MS = 1_000;
/** Longer than the pictures of one shared link are apart. */
const IDLE_MS = 60_000;

interface Job {
  readonly svg: string;
  readonly done: (png: Buffer | null) => void;
}

/**
 * Paints in one thread of its own, one picture after the other: a picture takes tens of milliseconds, for which no request shall
 * wait. The thread starts with the first picture, and again after it died. It ends when it is idle: the compiled program, its fonts and
 * its pixels take about 100 MB.
 */
export function createPainter(options: PainterOptions): Painter {
  const { waitingMax = WAITING_MAX, pauseMs = PAUSE_MS, idleMs = IDLE_MS } = options;
  const waiting: Job[] = [];
  const state: {
    thread: PaintingThread | null;
    idle: NodeJS.Timeout | undefined;
    isClosed: boolean;
    pausedUntil: number;
  } = {
    thread: null,
    idle: undefined,
    isClosed: false,
    pausedUntil: Number.NEGATIVE_INFINITY,
  };
  const endThread = async () => {
    const { thread } = state;
    state.thread = null;
    await thread?.stop();
  };
  const next = () => {
    clearTimeout(state.idle);
    const job = waiting.shift();
    if (job === undefined) state.idle = setTimeout(() => void endThread(), idleMs).unref();
    else threadOf().paint(job);
  };
  const refuseWaiting = () => {
    for (const { done } of waiting.splice(0)) done(null);
  };
  const threadOf = (): PaintingThread => {
    state.thread ??= startThread(options, next, () => {
      state.thread = null;
      state.pausedUntil = performance.now() + pauseMs;
      refuseWaiting();
    });
    return state.thread;
  };
  return {
    paint: (svg) =>
      new Promise((done) => {
        if (state.isClosed || waiting.length >= waitingMax || performance.now() < state.pausedUntil)
          return done(null);
        waiting.push({ svg, done });
        if (state.thread?.isBusy() !== true) next();
      }),
    async close() {
      state.isClosed = true;
      clearTimeout(state.idle);
      refuseWaiting();
      await endThread();
    },
  };
}

interface PaintingThread {
  isBusy(): boolean;
  /** Only while it is not busy. */
  paint(job: Job): void;
  stop(): Promise<void>;
}

function startThread(
  { thread = THREAD, timeLimitMs = TIME_LIMIT_MS, onFault }: PainterOptions,
  onFree: () => void,
  onDeath: () => void,
): PaintingThread {
  // Neither the flags nor the settings of the service: it has no secrets to know.
  const worker = new Worker(thread, {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  // Only a picture that somebody waits for keeps the process alive.
  worker.unref();
  const current: { job: Job | null; timer: NodeJS.Timeout | undefined; isStopped: boolean } = {
    job: null,
    timer: undefined,
    isStopped: false,
  };
  const finish = (png: Buffer | null) => {
    clearTimeout(current.timer);
    worker.unref();
    const { job } = current;
    current.job = null;
    job?.done(png);
  };
  worker.on('message', (answer: unknown) => {
    if (!(answer instanceof Uint8Array)) onFault(new Error(`cannot paint a picture: ${String(answer)}`));
    finish(answer instanceof Uint8Array ? Buffer.from(answer.buffer) : null);
    onFree();
  });
  worker.on('error', onFault);
  worker.on('exit', (code) => {
    finish(null);
    if (current.isStopped) return;
    onFault(new Error(`the painting thread ended with code ${code}`));
    onDeath();
  });
  return {
    isBusy: () => current.job !== null,
    paint(job) {
      current.job = job;
      current.timer = setTimeout(() => {
        onFault(new Error(`a picture took longer than ${timeLimitMs} ms`));
        void worker.terminate();
      }, timeLimitMs);
      worker.ref();
      worker.postMessage(job.svg);
    },
    async stop() {
      current.isStopped = true;
      await worker.terminate();
    },
  };
}
