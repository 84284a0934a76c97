/**
 * What stands in front of the replicas: passes requests on in turn, and to the next one when a replica does not take the
 * connection. A request that was sent and not answered is not sent again; its caller gets no answer. See lab/world/proxy.ts.
 */
import { Agent, createServer, request } from 'node:http';
import { hearCalls } from './hear-calls.mjs';

const state = { turn: 0 };
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

async function start({ port, replicas }) {
  const server = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      state.turn += 1;
      passOn(incoming, Buffer.concat(chunks), outgoing, { replicas, first: state.turn, tries: 0 });
    });
    incoming.on('error', () => outgoing.destroy());
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function passOn(incoming, body, outgoing, { replicas, first, tries }) {
  const { host, port } = new URL(replicas[(first + tries) % replicas.length]);
  const { method, url, headers } = incoming;
  const passed = request({
    agent,
    hostname: '127.0.0.1',
    port,
    method,
    path: url,
    headers: { host, ...headers },
  });
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  passed.on('error', (fault) => {
    const isUntaken = fault.code === 'ECONNREFUSED';
    if (isUntaken && tries + 1 < replicas.length) {
      passOn(incoming, body, outgoing, { replicas, first, tries: tries + 1 });
    } else outgoing.destroy();
  });
  passed.end(body);
}

hearCalls({ start });
