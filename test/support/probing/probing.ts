import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach } from 'vitest';
import { createHostProber } from '../../../src/adapters/probe/create-host-prober.ts';
import { createProber, type ProberParts } from '../../../src/adapters/probe/create-prober.ts';
import type { DialRequest } from '../../../src/adapters/probe/dial.ts';
import { createProofSource, type ResolveText } from '../../../src/adapters/probe/proof-source.ts';
import type { Resolve } from '../../../src/adapters/probe/resolve.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { base64, ENTRY } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { type Certificate, type FakeSeller, httpAnswer, type Script, startSeller } from './fake-seller.ts';

export const PUBLIC_ADDRESS = '93.184.216.34';
export const USER_AGENT = 'Assay-Prober/0 (+https://assay.example/prober)';

/** The real prober with the real policy. Only the last step is bent: every dial ends at a seller on loopback. */
export function probingHarness(
  port: number,
  {
    resolveText = async () => [],
    ...changes
  }: Partial<ProberParts> & { resolveText?: ResolveText | undefined } = {},
) {
  const dialled: string[] = [];
  const asked: string[] = [];
  const resolve: Resolve =
    changes.resolve ?? (async () => ({ kind: 'addresses', addresses: [PUBLIC_ADDRESS] }));
  const parts: ProberParts = {
    dial: async ({ address, signal }: DialRequest) => {
      dialled.push(address);
      const socket = connect({ host: '127.0.0.1', port });
      signal.addEventListener('abort', () => socket.destroy(), { once: true });
      await once(socket, 'connect');
      return socket;
    },
    policy: publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(['assay.example.org']) }),
    userAgent: USER_AGENT,
    timeoutMs: PATIENT_MS,
    ...changes,
    resolve: (name, signal) => {
      asked.push(name);
      return resolve(name, signal);
    },
  };
  const proofs = createProofSource({ ...parts, resolveText });
  return { prober: createProber(parts), openHost: createHostProber(parts), proofs, parts, dialled, asked };
}

/** A header with the terms of the honest entry. */
export const TERMS: [string, string] = [
  'PAYMENT-REQUIRED',
  base64(JSON.stringify({ x402Version: 2, accepts: [ENTRY] })),
];

/** For a seller that answers: a busy machine may be slow. */
const PATIENT_MS = 30_000;
/** For a seller that does not: enough to connect and ask. */
export const IMPATIENT_MS = 1_000;

const started: FakeSeller[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((seller) => seller.close()));
});

/** A prober whose every dial ends at a seller with this script; both are gone after the test. */
export async function probing(script: Script, changes: Partial<ProberParts> = {}, cert?: Certificate) {
  const seller = await startSeller(script, cert);
  started.push(seller);
  const harness = probingHarness(seller.port, { timeoutMs: PATIENT_MS, ...changes });
  const probe = (url: string, method: 'GET' | 'POST' = 'GET') =>
    harness.prober.probe({ target: target(url), method });
  return { ...harness, probe, requests: seller.requests };
}

export function answering(status: number, headers: [string, string][] = [], body = ''): Script {
  return (socket) => socket.end(httpAnswer(status, headers, body));
}
