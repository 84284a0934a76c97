import { createServer } from 'node:http';
import { parseEntry } from '../../../src/core/log/entry.ts';
import { proveReceipt } from '../../../src/flows/log/prove-receipt.ts';
import { proofJson } from '../../../src/wire/responses/proof-response.ts';
import type { TestService } from '../running/running-service.ts';

/** In front of a service: forwards everything, and adds proofs and bundles of statements where the service has none. */
export async function withProofRoutes({ address, store }: TestService) {
  const { transparencyLog, receipts } = store;
  const proof = async (id: string): Promise<string | null> => {
    const proved = await proveReceipt(id, { transparencyLog, receipts });
    return proved.kind === 'proved' ? JSON.stringify(proofJson(proved)) : null;
  };
  const statements = async (bundle: number): Promise<string> => {
    const entries = await transparencyLog.entries('1', bundle * 256, 256);
    const lines = entries.map(async ({ entry }) => {
      const parsed = parseEntry(entry);
      return parsed?.kind === 'receipt' ? ((await receipts.statement(parsed.id)) ?? 'null') : 'null';
    });
    return `${(await Promise.all(lines)).join('\n')}\n`;
  };
  const answer = async (path: string): Promise<{ status: number; body: Uint8Array | string }> => {
    const forwarded = await fetch(`${address}${path}`);
    const body = new Uint8Array(await forwarded.arrayBuffer());
    if (forwarded.status !== 404) return { status: forwarded.status, body };
    const [, id] = /^\/v1\/receipts\/([^/]+)\/proof$/.exec(path) ?? [];
    const [, bundle] = /^\/log\/statements\/(\d+)$/.exec(path) ?? [];
    const added =
      id !== undefined ? await proof(id) : bundle !== undefined ? await statements(Number(bundle)) : null;
    return added === null ? { status: 404, body } : { status: 200, body: added };
  };
  const server = createServer((request, response) => {
    answer(request.url ?? '').then(
      ({ status, body }) => response.writeHead(status, { connection: 'close' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return {
    address: `http://127.0.0.1:${bound.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
