import { connect, type Socket } from 'node:net';

/** An answer as it came: the head as text, the body only where somebody wants it. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface Connection {
  isBusy(): boolean;
  /** `answered` is called once: with null when the connection ended first. */
  ask(request: string, wantsBody: boolean, answered: (answer: Answer | null) => void): void;
  close(): void;
}

const END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: chunked/i;
const CLOSES = /\r\nconnection: close/i;

interface Waiting {
  readonly wantsBody: boolean;
  readonly answered: (answer: Answer | null) => void;
}

interface Reading {
  readonly chunks: Buffer[];
  bytes: number;
  head: string | null;
  /** Of the whole answer; null when it ends with its last chunk. */
  length: number | null;
}

/** One plain socket with one request at a time: an HTTP client would cost more than the service it measures. */
export function openConnection(port: number): Connection {
  const state: { socket: Socket | null; waiting: Waiting | null; reading: Reading } = {
    socket: null,
    waiting: null,
    reading: empty(),
  };
  const finish = (answer: Answer | null) => {
    const { waiting } = state;
    state.waiting = null;
    state.reading = empty();
    waiting?.answered(answer);
  };
  const open = (): Socket => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (state.socket === socket) state.socket = null;
      finish(null);
    });
    socket.on('data', (chunk) => {
      const answer = read(state.reading, chunk, state.waiting?.wantsBody ?? false);
      if (answer === null) return;
      // The next request must not go out on a connection that the server is about to close.
      if (CLOSES.test(answer.head)) {
        state.socket = null;
        socket.removeAllListeners('close').destroy();
      }
      finish(answer);
    });
    return socket;
  };
  return {
    isBusy: () => state.waiting !== null,
    ask(request, wantsBody, answered) {
      state.waiting = { wantsBody, answered };
      state.socket ??= open();
      state.socket.write(request);
    },
    close: () => state.socket?.destroy(),
  };
}

function empty(): Reading {
  return { chunks: [], bytes: 0, head: null, length: null };
}

function read(reading: Reading, chunk: Buffer, wantsBody: boolean): Answer | null {
  reading.chunks.push(chunk);
  reading.bytes += chunk.length;
  if (reading.head === null) {
    const have = reading.chunks.length === 1 ? chunk : Buffer.concat(reading.chunks);
    const end = have.indexOf(END);
    if (end === -1) return null;
    reading.head = have.toString('latin1', 0, end);
    const length = Number(LENGTH.exec(reading.head)?.[1] ?? 0);
    reading.length = CHUNKED.test(reading.head) ? null : end + END.length + length;
  }
  const { head, length } = reading;
  const isWhole =
    length === null ? chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : reading.bytes >= length;
  if (!isWhole) return null;
  const body = wantsBody ? Buffer.concat(reading.chunks).toString('utf8') : '';
  return { status: Number(head.slice(9, 12)), head, body };
}
