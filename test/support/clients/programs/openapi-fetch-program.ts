import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import createClient from 'openapi-fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { paths } from './paths.d.ts';
import { present, readTask, recordingFetch, strangersRequest } from './recording.ts';

/** Calls every route with what it needs, and pays where it must. */
const task = readTask();
const { record, report } = recordingFetch(task);
const wallet = new x402Client()
  .register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(task.buyerKey)))
  .setSpendControls({ maxAmountPerPayment: '$9' });
const { GET, POST } = createClient<paths>({
  baseUrl: task.base,
  fetch: wrapFetchWithPayment(record, wallet),
});

const tasks = present((await GET('/v1/tasks')).data, 'tasks');
const name = present(Object.keys(tasks)[0], 'task');
const services = present((await GET('/v1/services')).data, 'services');
const id = present(services.results[0], 'service').id;
await GET('/v1/services/{id}', { params: { path: { id } } });
const host = new URL(task.url).hostname;
const atHost = present((await GET('/v1/hosts/{host}', { params: { path: { host } } })).data, 'host');
const { address } = present(atHost.payees[0], 'payee');
await GET('/v1/payees/{address}', { params: { path: { address } } });
const found = present((await GET('/v1/lookup', { params: { query: { task: name } } })).data, 'lookup');
present(found.access.tier, 'tier');
await GET('/v1/lookup', { params: { query: { endpoint: id } } });
await GET('/v1/lookup/paid', { params: { query: { task: name } } });

// The free check of the day, then a paid one.
const { url } = task;
const free = present(
  (await GET('/v1/products/endpoint-spot-check', { params: { query: { url } } })).data,
  'check',
);
const receiptId = present(free.receipt_id, 'receipt');
const paid = present((await POST('/v1/products/endpoint-spot-check', { body: { url } })).data, 'paid check');
if (!('probe' in paid)) throw new Error('the second check was not paid');
await GET('/v1/products/overnight-cos-pack');
await POST('/v1/products/overnight-cos-pack');

await GET('/v1/skips', { parseAs: 'text' });
const skips = present((await GET('/v1/skips.json')).data, 'skips');
const crawled = present(skips.skips[0], 'skip').id;
await GET('/v1/skips.csv', { parseAs: 'text' });
await GET('/v1/skips.atom', { parseAs: 'text' });
await GET('/v1/receipts');
await GET('/v1/receipts', { params: { query: { type: 'live' } } });
await GET('/v1/receipts/by-url', { params: { query: { url } } });
await GET('/v1/receipts/by-url', { params: { query: { url: 'https://nobody.example/' } } });
for (const one of [receiptId, crawled]) {
  const params = { path: { id: one } };
  await GET('/v1/receipts/{id}', { params });
  await GET('/v1/receipts/{id}', { params, headers: { accept: 'text/html' }, parseAs: 'text' });
  await GET('/v1/receipts/{id}/statement', { params });
  await GET('/v1/receipts/{id}/proof', { params });
  await GET('/v1/receipts/{id}/proof.tlog-proof', { params, parseAs: 'text' });
}
const unknown = { path: { id: 'sc-0000000000000000' } };
await GET('/v1/receipts/{id}', { params: unknown });
await GET('/v1/receipts/{id}', { params: unknown, headers: { accept: 'text/html' }, parseAs: 'text' });
const receipt = present(
  (await GET('/v1/receipts/{id}', { params: { path: { id: receiptId } } })).data,
  'receipt',
);
if (typeof receipt === 'string' || !('rules_version' in receipt)) throw new Error('no receipt of a check');
const version = receipt.rules_version;
await GET('/log/rules/{version}.mjs', { params: { path: { version } }, parseAs: 'text' });
await GET('/log/policy', { parseAs: 'text' });
await GET('/log/checkpoint', { parseAs: 'text' });
await GET('/v1/corrections');

const NO_FILE = '0'.repeat(64);
const snapshot = (await GET('/v1/snapshot')).data;
const sha256 = snapshot?.sha256 ?? NO_FILE;
await GET('/snapshot/{sha256}.bin', { params: { path: { sha256 } }, parseAs: 'arrayBuffer' });
await GET('/snapshot/{sha256}/{part}.bin', {
  params: { path: { sha256, part: 'head' } },
  parseAs: 'arrayBuffer',
});
const from = snapshot?.delta?.from ?? NO_FILE;
await GET('/snapshot/{from}-{to}.delta', { params: { path: { from, to: sha256 } }, parseAs: 'arrayBuffer' });

await GET('/badge.svg', { params: { query: { url } }, parseAs: 'text' });
await GET('/v1/watch.atom', { params: { query: { url } }, parseAs: 'text' });
await POST('/v1/sellers', { body: strangersRequest(url) });
await GET('/healthz');
await GET('/readyz');

await POST('/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
await POST('/mcp', { body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
await POST('/mcp', {
  body: [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 2, method: 'no/such/method' },
  ],
});
report();
