import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOn, stopListening } from '../../../src/main/serve/listen.ts';

/** A web server without any logic: the file under the path, or 404. */
export async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    readFile(join(folder, new URL(request.url ?? '/', 'http://localhost').pathname)).then(
      (bytes) => response.writeHead(200).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  return { address: await listenOn(server, '127.0.0.1', 0), close: () => stopListening(server) };
}
