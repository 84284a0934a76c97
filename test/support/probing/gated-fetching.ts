import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { createGatedFetch, type GatedFetchParts } from '../../../src/adapters/probe/gated-fetch.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { type Certificate, type FakeSeller, type Script, startSeller } from './fake-seller.ts';
import { PUBLIC_ADDRESS, USER_AGENT } from './probing.ts';

export const MAX_BYTES = 10_000;

const started: FakeSeller[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((seller) => seller.close()));
});

/** A seller on loopback that is gone after the test. */
export async function aSeller(script: Script, cert?: Certificate): Promise<FakeSeller> {
  const seller = await startSeller(script, cert);
  started.push(seller);
  return seller;
}

/** The real gate with the real policy; only the dial is bent, to a port on loopback. Tells what went through it. */
export function gateTo(port: number, changes: Partial<GatedFetchParts> = {}) {
  const seen = { dialled: [] as string[], asked: [] as string[], open: 0, mostOpen: 0, closed: 0 };
  const dial: GatedFetchParts['dial'] = async ({ address }) => {
    seen.dialled.push(address);
    const socket: Socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    seen.open += 1;
    seen.mostOpen = Math.max(seen.mostOpen, seen.open);
    socket.on('close', () => {
      seen.open -= 1;
      seen.closed += 1;
    });
    return socket;
  };
  const resolve = changes.resolve ?? (async () => ({ kind: 'addresses', addresses: [PUBLIC_ADDRESS] }));
  const parts: GatedFetchParts = {
    dial,
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(['assay.example.org']) }),
    timeoutMs: 5_000,
    maxBytes: MAX_BYTES,
    userAgent: USER_AGENT,
    ...changes,
    resolve: (name, signal) => {
      seen.asked.push(name);
      return resolve(name, signal);
    },
  };
  return { parts, seen };
}

export async function fetching(script: Script, changes: Partial<GatedFetchParts> = {}, cert?: Certificate) {
  const { port, requests } = await aSeller(script, cert);
  const { parts, seen } = gateTo(port, changes);
  return { gatedFetch: createGatedFetch(parts), seen, requests };
}

/** Everything a fault says: a library's words and the addresses in them would show here. */
export function faultOf(answer: Promise<Response>): Promise<unknown> {
  return answer.then(
    () => 'an answer',
    (reason: unknown) =>
      reason instanceof Error ? { ...reason, message: reason.message, cause: reason.cause } : reason,
  );
}

export const fault = (kind: string, message: string, sent: boolean) => ({
  name: 'FetchFault',
  kind,
  message,
  sent,
  cause: undefined,
});
export const BLOCKED = fault('blocked', 'only the public web may be reached', false);
export const NO_REQUEST = fault('bad_request', 'this is no request that can be sent', false);
export const UNREACHABLE = fault('unreachable', 'no connection', false);
export const LATE = fault('timed_out', 'no whole answer in time', true);
export const TOO_LARGE = fault('too_large', 'the answer is too large', true);
export const BROKEN = fault('broken', 'the answer is broken', true);
