import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { httpAnswer } from '../../../test/support/probing/fake-seller.ts';
import { holdTimers } from '../../../test/support/probing/held-timers.ts';
import { TERMS } from '../../../test/support/probing/probing.ts';
import { allClosed, at, bodyOf, echoing, visiting } from '../../../test/support/running/visiting.ts';

describe('kept connections', () => {
  it.each<[string, (socket: Socket, nth: number) => void]>([
    ['says that it closes', (socket) => socket.write(httpAnswer(402, [['Connection', 'close']]))],
    [
      'is HTTP/1.0, whatever it promises',
      (socket) =>
        socket.write('HTTP/1.0 402 Answer\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}'),
    ],
    ['has no end but that of the connection', (socket) => socket.write('HTTP/1.1 503 Answer\r\n\r\nx')],
    [
      'is followed by a second answer that nobody asked for',
      (socket) => socket.write(Buffer.concat([httpAnswer(402, []), httpAnswer(200, [])])),
    ],
    [
      'is followed by the beginning of one',
      (socket) => socket.write(Buffer.concat([httpAnswer(402, []), Buffer.from('HTTP/1.1 2')])),
    ],
    ['is longer than it says', (socket) => socket.write(httpAnswer(402, [['Content-Length', '1']], '{}'))],
    [
      'came after a hint',
      (socket) => socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 X\r\n\r\n'), httpAnswer(402, [])])),
    ],
    ['is too large', (socket) => socket.write(httpAnswer(402, [], 'x'.repeat(300_000)))],
    [
      'is no 402 and too large to be let through',
      (socket) => socket.write(httpAnswer(200, [], 'x'.repeat(70_000))),
    ],
    [
      'is no 402 and does not come to its end',
      (socket) => socket.write(httpAnswer(200, [['Content-Length', '9']], 'x')),
    ],
  ])('are not used again when an answer %s', async (_, script) => {
    const { ask, connections, perConnection } = await visiting((socket, _path, nth) => script(socket, nth));
    const first = await ask(at('/1'));
    await ask(at('/2'));
    expect(perConnection()).toEqual([1, 1]);
    expect(await allClosed(connections.keys())).toBe(true);
    const third = await ask(at('/3'));
    // As text: 256 kB of bytes are compared one by one.
    expect({ ...third, body: bodyOf(third) }).toEqual({ ...first, body: bodyOf(first) });
  });

  it('are not used again when an answer was given up', async () => {
    const { runOut } = holdTimers();
    const { ask, connections, perConnection } = await visiting((socket) =>
      socket.write('HTTP/1.1 402 A\r\n', runOut),
    );
    for (const path of ['/1', '/2', '/3']) expect(await ask(at(path))).toEqual({ kind: 'timed_out' });
    expect(perConnection()).toEqual([1, 1, 1]);
    vi.useRealTimers();
    expect(await allClosed(connections.keys())).toBe(true);
  });

  it('are not used again when something comes while nobody asks', async () => {
    const { ask, connections, perConnection } = await visiting((socket, path) => {
      echoing(socket, path);
      setTimeout(() => socket.write(httpAnswer(402, [TERMS], '"forged"')), 30);
    });
    expect(bodyOf(await ask(at('/1')))).toBe('"/1"');
    expect(await allClosed(connections.keys())).toBe(true);
    expect(bodyOf(await ask(at('/2')))).toBe('"/2"');
    expect(perConnection()).toEqual([1, 1]);
  });

  it('never bring the late body of one request as the answer to the next', async () => {
    const { runOut } = holdTimers();
    const late: (() => void)[] = [];
    const { ask } = await visiting((socket, path) => {
      for (const write of late.splice(0)) write();
      if (path !== '/slow') {
        echoing(socket, path);
        return;
      }
      late.push(() => socket.write(httpAnswer(402, [TERMS], '"forged"').toString().padEnd(199)));
      socket.write(httpAnswer(402, [['Content-Length', '200']], '{'), runOut);
    });
    expect(await ask(at('/slow'))).toEqual({ kind: 'timed_out' });
    const after = await Promise.all(['/1', '/2', '/3'].map((path) => ask(at(path))));
    expect(late).toEqual([]);
    expect([...after, await ask(at('/4'))].map(bodyOf)).toEqual(['"/1"', '"/2"', '"/3"', '"/4"']);
  });

  it('are kept behind a short body that nobody reads', async () => {
    // However late the second half is: the time for it does not run.
    holdTimers();
    const { ask, perConnection } = await visiting((socket) => {
      socket.write(httpAnswer(404, [['Content-Length', '60000']], 'x'.repeat(30_000)), () =>
        setImmediate(() => socket.write('x'.repeat(30_000))),
      );
    });
    for (const path of ['/1', '/2'])
      expect(await ask(at(path))).toMatchObject({ status: 404, bodyComplete: true });
    expect(perConnection()).toEqual([2]);
  });
});
