/**
 * Sellers and lists in one process. The sellers are those of the sandbox; what they are asked is watched from outside of
 * them: when each request came and went, who sent it, and whether it carried a payment.
 */
import { subscribe } from 'node:diagnostics_channel';
import { createHttpFacilitator } from '../../../dist/adapters/facilitator/http-facilitator.js';
import { startDiscoveryLists } from '../../../dist/sandbox/discovery-lists.js';
import { startSellers } from '../../../dist/sandbox/sellers/start-sellers.js';
import { createStops } from '../../../dist/sandbox/stops.js';
import { hearCalls } from './hear-calls.mjs';

/** Sellers have addresses of their own; everything else of this process is on 127.0.0.1. */
const SELLERS = /^127\.0\.1\./;
const PAYMENTS = ['payment-signature', 'x-payment'];
const SEEN_MAX = 500_000;

const seen = [];
let dropped = 0;

subscribe('http.server.request.start', ({ request, response, socket }) => {
  if (!SELLERS.test(socket.localAddress ?? '')) return;
  if (seen.length >= SEEN_MAX) {
    dropped += 1;
    return;
  }
  const one = {
    host: `${socket.localAddress}:${socket.localPort}`,
    agent: String(request.headers['user-agent'] ?? ''),
    target: `${request.method} ${request.url}`,
    hasPayment: PAYMENTS.some((name) => request.headers[name] !== undefined),
    startedAt: Date.now(),
    endedAt: null,
    /** False when the other side went away first. */
    answered: false,
  };
  seen.push(one);
  response.once('finish', () => {
    one.answered = true;
    one.endedAt = Date.now();
  });
  response.once('close', () => {
    one.endedAt ??= Date.now();
  });
});

async function start({ facilitatorUrl }) {
  const stops = createStops();
  const facilitator = createHttpFacilitator({ url: facilitatorUrl });
  const sellers = await startSellers({ facilitator, stops, now: Date.now });
  const lists = await startDiscoveryLists({ sellers, stops, now: () => new Date() });
  return {
    // What a seller does stays here; what is claimed of it is data.
    sellers: sellers.map(({ behave, ...claimed }) => claimed),
    lists,
  };
}

hearCalls({ start, seen: () => ({ requests: seen, dropped }) });
