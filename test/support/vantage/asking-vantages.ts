import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import type { VantageOutcome } from '../../../src/adapters/vantage/ask-vantage.ts';
import { createHttpVantages, type HttpVantageParts } from '../../../src/adapters/vantage/http-vantages.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { openRequest, signObservation } from '../../../src/core/vantage/messages.ts';
import type { StatedView } from '../../../src/core/vantage/observation-text.ts';
import type { ListedVantage } from '../../../src/core/vantage/vantage-files.ts';
import type { ProbeRequest } from '../../../src/ports/prober.ts';
import { target } from '../../../tools/samples/listed.ts';
import { seededSigner } from '../log/seeded-signer.ts';
import { CLIENT, type RunningVantage, startVantage, type VantageOptions } from './running-vantage.ts';

export const VANTAGE = seededSigner('vantage.example/v1');
export const REQUEST: ProbeRequest = { target: target('http://shop.example.net/data?q=%22'), method: 'GET' };
const closing: (() => Promise<void>)[] = [];

/** Ends all that a test has started. */
export async function closeAll(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}

afterEach(closeAll);

type Outcomes = [vantage: string, outcome: VantageOutcome, isTimed: boolean][];

export function client(vantages: readonly ListedVantage[], changes: Partial<HttpVantageParts> = {}) {
  const outcomes: Outcomes = [];
  const changed: [string, boolean, string][] = [];
  const port = createHttpVantages({
    vantages,
    quorum: vantages.length,
    fromPrice: microUsd(100_000n),
    signer: CLIENT,
    now: () => new Date(),
    stopwatch: () => performance.now(),
    entropy: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    onAnswer: (vantage, outcome, seconds) => outcomes.push([vantage, outcome, seconds !== null]),
    onChange: (...change) => changed.push(change),
    ...changes,
  });
  return { port, outcomes, changed, last: () => outcomes.at(-1)?.[1] };
}

export async function vantage(name: string, options: VantageOptions = {}) {
  const running: RunningVantage = await startVantage({
    name: `${name}.example/v`,
    now: () => new Date(),
    ...options,
  });
  closing.push(running.close);
  return { ...running, listed: { name, key: running.signer.key, url: running.address } };
}

/** A server that answers as it is told, and how often it was asked. */
export async function liar(answer: (request: string, response: ServerResponse) => void) {
  const asked: string[] = [];
  const read = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  };
  const server = createServer((request, response) => {
    read(request).then(
      (text) => {
        asked.push(request.url ?? '');
        answer(text, response);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('a server without a port');
  return { asked, listed: { name: 'liar', key: VANTAGE.key, url: `http://127.0.0.1:${at.port}/` } };
}

/** A signed observation of this request, except for these changes. */
export function observationOf(note: string, changes: Partial<StatedView> = {}, signer = VANTAGE): string {
  const opened = openRequest(note, [CLIENT.key]);
  if (typeof opened === 'string') throw new Error('it should be a request');
  const stated: StatedView = { at: new Date(), request: opened.hash, seen: { kind: 'timed_out' } };
  return signObservation({ ...stated, ...changes }, signer) ?? '';
}
