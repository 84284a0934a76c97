import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createPainter,
  type Painter,
  type PainterOptions,
} from '../../../src/adapters/pictures/create-painter.ts';
import { readPng } from '../../support/pictures/read-png.ts';

const svg = (body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="#ffffff"/>${body}</svg>`;
const RED = svg('<rect width="10" height="10" fill="#ff0000"/>');
const TEXT = svg(
  '<text x="5" y="40" font-family="IBM Plex Sans" font-weight="600" font-size="40" fill="#0a6b3b">pay</text>',
);
/** A program of a thread, as a URL. */
const program = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`,
  );
const ANSWERS = 'new Uint8Array([1, 2, 3])';

describe('the painter', () => {
  const painters: Painter[] = [];
  const faults: unknown[] = [];
  const painter = (options: Partial<PainterOptions> = {}): Painter => {
    const made = createPainter({ onFault: (fault) => faults.push(fault), timeLimitMs: 200_000, ...options });
    painters.push(made);
    return made;
  };
  afterEach(async () => {
    for (const made of painters.splice(0)) await made.close();
    faults.splice(0);
  });
  const painted = async (made: Painter, text: string) => {
    const png = await made.paint(text);
    if (png === null) throw new Error(`nothing painted: ${faults.join()}`);
    return readPng(png);
  };

  it('paints shapes, and text in our own font', async () => {
    const made = painter();
    const red = await painted(made, RED);
    expect([red.width, red.height, red.count('#ff0000')]).toEqual([120, 60, 100]);
    expect((await painted(made, TEXT)).count('#0a6b3b')).toBeGreaterThan(300);
  });

  it('paints all of them, one after the other', async () => {
    const { paint } = painter();
    const all = await Promise.all(Array.from({ length: 6 }, () => paint(RED)));
    expect(all.map((png) => png !== null && readPng(png).count('#ff0000'))).toEqual(Array(6).fill(100));
  });

  it.each([
    ['nothing', ''],
    ['no SVG', 'hello'],
    ['an SVG that breaks off', '<svg xmlns="http://www.w3.org/2000/svg" width="1"'],
    ['an SVG without a size that can be painted', '<svg xmlns="http://www.w3.org/2000/svg" width="0"/>'],
  ])('null for %s, and paints the next one', async (_, text) => {
    const { paint } = painter();
    expect(await paint(text)).toBeNull();
    expect(await paint(RED)).not.toBeNull();
    expect(faults).toHaveLength(1);
  });

  it('does not read files or other hosts', async () => {
    const stranger = svg(
      '<image href="/etc/hostname" width="9" height="9"/><image href="http://127.0.0.1:1/x.png" width="9" height="9"/>',
    );
    expect((await painted(painter(), stranger)).count('#ffffff')).toBe(120 * 60);
  });

  it('null at once when too many wait; those that wait get their picture', async () => {
    const held = program(
      `parentPort.on('message', () => setTimeout(() => parentPort.postMessage(${ANSWERS}), 50));`,
    );
    const { paint } = painter({ thread: held, waitingMax: 2 });
    const all = await Promise.all(Array.from({ length: 10 }, () => paint(RED)));
    // One is being painted and two wait.
    expect(all.map((png) => png !== null)).toEqual([true, true, true, ...Array(7).fill(false)]);
  });

  it.each([
    ['exits', 'process.exit(3);'],
    ['throws', "throw new Error('broken');"],
    ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length));'],
  ])('a thread that %s: null for all that wait, and a new thread for the next one', async (_, end) => {
    const dies = program(
      `parentPort.on('message', (svg) => { if (svg === 'die') { ${end} } parentPort.postMessage(${ANSWERS}); });`,
    );
    const { paint } = painter({ thread: dies, pauseMs: 0 });
    expect(await Promise.all([paint(RED), paint('die'), paint(RED)])).toEqual([
      Buffer.from([1, 2, 3]),
      null,
      null,
    ]);
    expect(await paint(RED)).toEqual(Buffer.from([1, 2, 3]));
    expect(String(faults.at(-1))).toContain('the painting thread ended');
  });

  it('does not start one thread after the other when none can start', async () => {
    const { paint } = painter({ thread: program("throw new Error('no font');"), pauseMs: 3_600_000 });
    expect(await paint(RED)).toBeNull();
    const before = faults.length;
    expect(await paint(RED)).toBeNull();
    expect(faults).toHaveLength(before);
  });

  it('ends a thread that hangs', async () => {
    const hangs = program("parentPort.on('message', () => { for (;;); });");
    const { paint } = painter({ thread: hangs, timeLimitMs: 20 });
    expect(await paint(RED)).toBeNull();
    expect(faults.join()).toContain('longer than 20 ms');
  });

  it('ends an idle thread, and starts another one for the next picture', async () => {
    const named = program(
      "import { threadId } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage(new Uint8Array([threadId & 255])));",
    );
    const { paint } = painter({ thread: named, idleMs: 1 });
    const first = await paint(RED);
    await expect.poll(() => paint(RED), { interval: 100 }).not.toEqual(first);
    expect(await Promise.all([paint(RED), paint(RED)])).not.toContain(null);
    expect(faults).toEqual([]);
  });

  it('closed: nothing is painted, and whoever waits is told', async () => {
    const made = painter({ thread: program("parentPort.on('message', () => {});") });
    const waits = [made.paint(RED), made.paint(RED)];
    await made.close();
    expect(await Promise.all(waits)).toEqual([null, null]);
    expect(await made.paint(RED)).toBeNull();
    expect(faults).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('runs below the priority of requests', async () => {
    const niceOf = (thread: string) =>
      Number(
        readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[16],
      );
    const own = niceOf(String(process.pid));
    await painted(painter(), RED);
    expect(readdirSync('/proc/self/task').map(niceOf)).toContain(5);
    expect(niceOf(String(process.pid))).toBe(own);
  });
});
