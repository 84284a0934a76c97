import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

export async function connectTo(address: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ host: hostname, port: Number(port), ...from });
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const PATIENCE_MS = 10_000;

/** Sends bytes that no HTTP library would, and reads until the server closes; throws when it never does. */
export async function sendRaw(address: string, ...pieces: readonly string[]): Promise<RawAnswer[]> {
  const socket = await connectTo(address);
  const answers = readAll(socket);
  for (const piece of pieces) socket.write(piece, 'latin1');
  return answers;
}

/** The same, but the sender hangs up its side when everything is sent. */
export async function sendRawAndHangUp(address: string, bytes: string): Promise<RawAnswer[]> {
  const socket = await connectTo(address);
  const answers = readAll(socket);
  socket.end(bytes, 'latin1');
  return answers;
}

export async function readAll(socket: Socket): Promise<RawAnswer[]> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const impatient = setTimeout(
    () => socket.destroy(new Error('the server keeps the connection')),
    PATIENCE_MS,
  );
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve());
    socket.on('error', (fault) => (fault.message.startsWith('the server') ? reject(fault) : undefined));
  });
  await closed;
  clearTimeout(impatient);
  return answersIn(Buffer.concat(chunks).toString('utf8'));
}

/** Takes the bytes apart by their lengths, so that answers which run into each other show. */
function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(statusLine)?.[1]);
    if (end === -1 || Number.isNaN(status)) throw new Error(`no answer begins with ${rest.slice(0, 80)}`);
    const fields = new Map(lines.map((line) => fieldOf(line)));
    const { body, length } = bodyOf(rest.slice(end + 4), status, fields);
    answers.push({ status, fields, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Answers here are ASCII, so that characters and bytes are the same. */
function bodyOf(rest: string, status: number, fields: ReadonlyMap<string, string>) {
  if (status < 200 || status === 204 || status === 304) return { body: '', length: 0 };
  const length = Number(fields.get('content-length') ?? 0);
  return { body: rest.slice(0, length), length };
}
