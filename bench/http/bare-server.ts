import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The bare limit: node:http with nothing behind it, which sends the bytes that it was told to. */
interface Captured {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

process.once('message', (message) => {
  // The parent sends the answers it has captured, and nothing else.
  const answers = new Map(
    Object.entries(message as Record<string, Captured>).map(([path, { status, headers, body }]) => [
      path,
      { status, headers, body: Buffer.from(body) },
    ]),
  );
  const server = createServer((request, response) => {
    const mark = request.url?.indexOf('?') ?? -1;
    const answer = answers.get((mark === -1 ? request.url : request.url?.slice(0, mark)) ?? '');
    if (answer === undefined) throw new Error('a path that was not captured');
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1', () => {
    // A server that listens on TCP answers with an AddressInfo.
    process.send?.((server.address() as AddressInfo).port);
  });
});
