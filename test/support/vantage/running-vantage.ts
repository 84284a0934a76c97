import type { ProberParts } from '../../../src/adapters/probe/create-prober.ts';
import type { NoteKey, NoteSigner } from '../../../src/core/log/note.ts';
import { signRequest } from '../../../src/core/vantage/messages.ts';
import type { VantageRequest } from '../../../src/core/vantage/request-text.ts';
import { createVantage } from '../../../src/flows/vantage/create-vantage.ts';
import { listenOn, stopListening } from '../../../src/main/serve/listen.ts';
import { createVantageServer } from '../../../src/main/vantage/vantage-server.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import { seededSigner } from '../log/seeded-signer.ts';
import { type Script, startSeller } from '../probing/fake-seller.ts';
import { answering, probingHarness, TERMS } from '../probing/probing.ts';

export const CLIENT = seededSigner('assay.example/vantages');
export const NOON = new Date('2026-11-15T12:00:00.000Z');

export interface VantageOptions {
  readonly name?: string;
  readonly clients?: readonly NoteKey[];
  /** What a target answers; a 402 when it is left out. */
  readonly seller?: Script;
  readonly prober?: Partial<ProberParts>;
  readonly now?: () => Date;
  readonly stopwatch?: () => number;
}

export interface RunningVantage {
  readonly address: string;
  readonly signer: NoteSigner;
  /** Every request that reached a target, raw. */
  readonly requests: readonly string[];
  /** Addresses of targets that were dialled, and names that were resolved. */
  readonly dialled: readonly string[];
  readonly resolved: readonly string[];
  readonly faults: unknown[];
  readonly clock: { now: Date };
  close(): Promise<void>;
}

/** A vantage on loopback with the real prober and the real policy; every name has its own address, and all lead to one seller. */
export async function startVantage(options: VantageOptions = {}): Promise<RunningVantage> {
  const seller = await startSeller(options.seller ?? answering(402, [TERMS], '{}'));
  const clock = { now: NOON };
  const faults: unknown[] = [];
  const signer = seededSigner(options.name ?? 'vantage.example/v1');
  const { prober, dialled, asked } = probingHarness(seller.port, {
    resolve: async (name) => ({ kind: 'addresses', addresses: [ownAddress(name)] }),
    ...options.prober,
  });
  const now = options.now ?? (() => clock.now);
  const stopwatch = options.stopwatch ?? (() => 0);
  const vantage = createVantage({ signer, clients: options.clients ?? [CLIENT.key], now, prober, stopwatch });
  const server = createVantageServer({
    vantage,
    // A second that never ends would admit only so many.
    stopwatch: () => performance.now(),
    about: 'about this vantage',
    onFault: (fault) => faults.push(fault),
  });
  const address = await listenOn(server, '127.0.0.1', 0);
  return {
    ...{ address, signer, dialled, resolved: asked, faults, clock, requests: seller.requests },
    close: async () => {
      server.closeAllConnections();
      await stopListening(server);
      await seller.close();
    },
  };
}

const nonces = { last: 0 };

/** A nonce that no other request of this process has. */
export function freshNonce(): string {
  const bytes = Buffer.alloc(16);
  nonces.last += 1;
  bytes.writeUInt32BE(nonces.last);
  return bytes.toString('base64url');
}

/** The signed note of a request, like that of a service except for these changes. */
export function requestNote(changes: Partial<VantageRequest> = {}, signer = CLIENT): string {
  const request: VantageRequest = {
    at: NOON,
    body: null,
    method: 'GET',
    nonce: freshNonce(),
    to: 'vantage.example/v1',
    url: 'http://shop.example.net/data',
    ...changes,
  };
  const sent = signRequest(request, signer);
  if (sent === null) throw new Error('no vantage would read this request');
  return sent.note;
}

export async function postNote(address: string, body: string | Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${address}/observe`, { method: 'POST', body });
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, text: await response.text() };
}
