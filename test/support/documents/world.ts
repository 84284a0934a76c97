import { spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Walk } from '../../../tools/documents/walk.ts';
import { freePort } from '../../../tools/free-port.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { startLintSeller } from '../linting/lint-seller.ts';

const PROGRAM = projectFile('dist/bundle/node/assay.js');
/** The reader's own seller. */
const SELLER = '127.0.9.8';

/** What has to run before the commands of a document can be typed. */
export interface DocumentWorld {
  readonly walk: Walk;
  close(): Promise<void>;
}

/** A sandbox in the place of the service that the reader runs, and a seller in the place of the reader's own. */
export async function openDocumentWorld(folder: string, needsSandbox: boolean): Promise<DocumentWorld> {
  const port = String(await freePort());
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'assay'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
    mode: 0o755,
  });
  const stopSeller = await serve(SELLER, port, ownSeller(folder));
  const local = await startLintSeller();
  const stopSandbox = needsSandbox ? await startSandbox(port) : async () => {};
  const service = `http://127.0.0.1:${port}`;
  const walk = {
    folder,
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: folder,
      TMPDIR: process.env['TMPDIR'] ?? '/tmp',
      ASSAY_SERVER: service,
      npm_config_loglevel: 'error',
      npm_config_update_notifier: 'false',
    },
    instead: [
      ['https://assay.example.org', service],
      ['https://api.example.com', `http://${SELLER}:${port}`],
      ['http://localhost:4021', local.url],
      ['4402', port],
    ] as const,
  };
  const close = async () => {
    await stopSandbox();
    await stopSeller();
    await local.stop();
  };
  return { walk, close };
}

async function startSandbox(port: string): Promise<() => Promise<void>> {
  const words = ['sandbox', '--port', port, '--json', '--allow-target', `${SELLER}:${port}`];
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: child.stdout }), 'line');
  return async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
}

async function serve(host: string, port: string, listener: RequestListener): Promise<() => Promise<void>> {
  const server = createServer(listener).listen(Number(port), host);
  await once(server, 'listening');
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
}

/** Asks a cent, and publishes the key that the reader has made. */
function ownSeller(folder: string): RequestListener {
  const [name, value] = header({ x402Version: 2, accepts: [ENTRY] });
  return ({ url }, response) => {
    if (url === '/.well-known/assay-verify.txt') {
      const { x = '' } = createPublicKey(readFileSync(join(folder, 'assay.pem'))).export({ format: 'jwk' });
      response.end(`assay-verify=ed25519:${x}\n`);
      return;
    }
    response.writeHead(402, { [name]: value }).end();
  };
}
