import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { witnessFiles } from '../../../src/adapters/log/witness-files.ts';
import type { NoteKey, NoteSigner } from '../../../src/core/log/note.ts';
import { createWitness } from '../../../src/flows/log/witness/witness-logs.ts';
import { listenOn, stopListening } from '../../../src/main/serve/listen.ts';
import { createWitnessServer } from '../../../src/main/witness/witness-server.ts';
import { seededSigner } from './seeded-signer.ts';

export interface TestWitness {
  readonly signer: NoteSigner;
  /** Keeps its port and its state when it is started again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  address(): string;
  remove(): Promise<void>;
}

/** A real witness on loopback. */
export async function testWitness(
  name: string,
  logs: readonly NoteKey[],
  now: () => Date = () => new Date(),
): Promise<TestWitness> {
  const folder = mkdtempSync(join(tmpdir(), 'witness-'));
  const signer = seededSigner(name, 4);
  const witness = createWitness({ logs, signer, state: witnessFiles(folder), now });
  const newServer = () =>
    createWitnessServer({ witness, stopwatch: () => performance.now(), onFault: () => {} });
  let server = newServer();
  let address = await listenOn(server, '127.0.0.1', 0);
  const stop = async () => {
    if (server.listening) await stopListening(server);
  };
  return {
    signer,
    async start() {
      server = newServer();
      address = await listenOn(server, '127.0.0.1', Number(new URL(address).port));
    },
    stop,
    address: () => address,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
