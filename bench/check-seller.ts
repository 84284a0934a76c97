import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { typicalAnswer } from '../tools/samples/typical-answer.ts';

/** A seller in a process of its own that answers every request with a typical 402. */
const HEADER_CHARS = 3_072;
const { header } = typicalAnswer(HEADER_CHARS);
const server = createServer((_request, response) => {
  response.writeHead(402, { 'payment-required': header, 'content-type': 'application/json' }).end('{}');
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on TCP answers with an AddressInfo.
  process.send?.((server.address() as AddressInfo).port);
});
