import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectTo } from '../../test/support/running/raw-http.ts';
import { listenOn, stopListening } from '../main/serve/listen.ts';
import type { Answer } from './exchange/answer.ts';
import { createHttpServer } from './server.ts';

const opened: Server[] = [];
afterEach(() => Promise.all(opened.splice(0).map(stopListening)));

async function serve(answer: () => Promise<Answer>): Promise<string> {
  const server = createHttpServer({
    answer,
    refuse: () => {
      throw new Error('nothing here is to be refused');
    },
  });
  opened.push(server);
  return listenOn(server, '127.0.0.1', 0);
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n';
const CLOSE = 'Connection: close\r\n\r\n';
/** Far more than the buffers of a connection hold. */
const LARGE = Buffer.alloc(32 * 1_048_576, 'x');

describe('an answer in parts, and the note that it was written out', () => {
  it('leaves whole, part after part, and is noted once', async () => {
    const onWritten = vi.fn(async () => {});
    const parts = [Buffer.from('{"pack":"µ"'), ',"access":{}', '}'];
    const address = await serve(async () => ({
      status: 200,
      headers: { 'content-length': '25' },
      body: parts,
      onWritten,
    }));
    const socket = await connectTo(address);
    let heard = '';
    socket.on('data', (piece) => {
      heard += String(piece);
    });
    socket.write(GET + CLOSE);
    await once(socket, 'close');
    expect(heard.split('\r\n\r\n')[1]).toBe('{"pack":"µ","access":{}}');
    await vi.waitFor(() => expect(onWritten).toHaveBeenCalledTimes(1));
  });

  it('is not noted while the caller does not read it, nor when the caller is gone', async () => {
    const onWritten = vi.fn(async () => {});
    let asked = 0;
    const address = await serve(async () => {
      asked += 1;
      return { status: 200, headers: { 'content-length': String(LARGE.length) }, body: LARGE, onWritten };
    });
    const socket = await connectTo(address);
    socket.pause();
    socket.write(GET + CLOSE);
    await vi.waitFor(() => expect(asked).toBe(1));
    const gone = once(socket, 'close');
    socket.resetAndDestroy();
    await gone;
    // Another caller is served meanwhile, so whatever was to be noted has been.
    const other = await connectTo(address);
    let bytes = 0;
    other.on('data', (piece) => {
      bytes += piece.length;
    });
    other.write(GET + CLOSE);
    await once(other, 'close');
    expect(bytes).toBeGreaterThan(LARGE.length);
    await vi.waitFor(() => expect(onWritten).toHaveBeenCalledTimes(1));
  });
});
