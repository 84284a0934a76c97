import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { typicalAnswer } from '../../tools/samples/typical-answer.ts';

/** A seller in a process of its own that answers every request with a typical 402. */
const HEADER_CHARS = 3_072;
const { header } = typicalAnswer(HEADER_CHARS);
const thinksMs = Number(process.env['BENCH_SELLER_MS'] ?? 0);
const server = createServer(async (_request, response) => {
  if (thinksMs > 0) await wait(thinksMs);
  response.writeHead(402, { 'payment-required': header, 'content-type': 'application/json' }).end('{}');
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on TCP answers with an AddressInfo.
  process.send?.((server.address() as AddressInfo).port);
});
