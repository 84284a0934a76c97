import { createServer } from 'node:http';

/** Files by path, at an address of this machine; a static web server without any logic. */
export async function serveFiles() {
  const logs = new Map<string, ReadonlyMap<string, Uint8Array>>();
  const requested = new Set<string>();
  const server = createServer((request, response) => {
    const [, name = '', ...path] = (request.url ?? '').split('/');
    requested.add(path.join('/'));
    const bytes = logs.get(name)?.get(path.join('/'));
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    requested,
    /** Gives these files a prefix of their own. */
    publish(files: ReadonlyMap<string, Uint8Array>): string {
      const name = String(logs.size);
      logs.set(name, files);
      return `http://127.0.0.1:${address.port}/${name}`;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
