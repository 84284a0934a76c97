import { createServer } from 'node:http';
import { loadRules } from '../../../src/main/build/load-rules.ts';
import { type LogTree, policyOf } from './log-world.ts';

/** A file that is another one, a status without one, or a status with the code of its problem. */
export type Lie = Uint8Array | string | number | { readonly status: number; readonly code: string };

export interface ServedLog {
  readonly address: string;
  /** What is served from now on; the epochs in order. */
  show(...worlds: readonly LogTree[]): void;
  readonly lies: Map<string, Lie>;
  readonly policy: { text: string | null };
  /** Every path that was answered with a file. */
  readonly files: Set<string>;
  close(): Promise<void>;
}

/** The part of a service that anybody verifies, on loopback, with whatever lies a test plants. */
export async function serveWorld(...first: readonly LogTree[]): Promise<ServedLog> {
  const state = { worlds: first };
  const lies = new Map<string, Lie>();
  const policy: { text: string | null } = { text: null };
  const files = new Set<string>();
  const honest = (path: string): Promise<Uint8Array | null> | Uint8Array | null => {
    if (path === '/log/policy') return Buffer.from(policy.text ?? policyOf(state.worlds));
    const [, version] = /^\/log\/rules\/(\d+)\.mjs$/.exec(path) ?? [];
    if (version !== undefined) return Buffer.from(loadRules().get(version) ?? '');
    const [, run = '', runPath] = /^\/log\/run\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const [main] = state.worlds;
    if (runPath !== undefined) {
      const found = main?.runs.get(run);
      return (
        (runPath === 'statement' ? Buffer.from(found?.statement ?? '') : found?.world.file(runPath)) ?? null
      );
    }
    const [, epoch = '1', rest = ''] = /^\/log\/(?:(\d+)\/)?(.+)$/.exec(path) ?? [];
    return state.worlds[Number(epoch) - 1]?.file(rest) ?? null;
  };
  const answer = async (path: string): Promise<{ status: number; body: Uint8Array | string }> => {
    const lie = lies.get(path);
    if (typeof lie === 'number') return { status: lie, body: '{"code":"not_found","detail":"No."}' };
    if (typeof lie === 'object' && 'status' in lie)
      return { status: lie.status, body: JSON.stringify({ code: lie.code, detail: 'No.' }) };
    const body = lie ?? (await honest(path));
    if (body === null) return { status: 404, body: '{"code":"not_found","detail":"No."}' };
    files.add(path);
    return { status: 200, body };
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
    ...{ lies, policy, files, address: `http://127.0.0.1:${bound.port}` },
    show: (...worlds) => {
      state.worlds = worlds;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The bundle of the entry at this place. */
export async function bundleOf(world: LogTree, index: number, changes: object = {}): Promise<string> {
  const statement = Buffer.from(world.lines[index] ?? '').toString('base64');
  return JSON.stringify({ assay: 'proof/1', statement, proof: await world.proofOf(index), ...changes });
}

/** The bundle of the crawl receipt of a run whose entry has this index. */
export async function runBundleOf(world: LogTree, index: number): Promise<string> {
  const found = world.runs.get('a-run');
  if (found === undefined) throw new Error('there is no such run');
  const statement = Buffer.from(found.statement).toString('base64');
  return bundleOf(found.world, 0, { run: { statement, proof: await world.proofOf(index) } });
}
