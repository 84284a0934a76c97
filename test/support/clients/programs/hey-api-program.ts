import { present, readTask, recordingFetch, strangersRequest } from './recording.ts';
import { client } from './sdk/client.gen.ts';
import * as sdk from './sdk/sdk.gen.ts';

/** Calls every route with what it needs, and never pays. */
const task = readTask();
const { record, report } = recordingFetch(task);
client.setConfig({ baseUrl: task.base, fetch: record });

const tasks = present((await sdk.tasks()).data, 'tasks');
const name = present(Object.keys(tasks)[0], 'task');
const services = present((await sdk.services()).data, 'services');
const id = present(services.results[0], 'service').id;
await sdk.service({ path: { id } });
const host = new URL(task.url).hostname;
const atHost = present((await sdk.host({ path: { host } })).data, 'host');
await sdk.payee({ path: { address: present(atHost.payees[0], 'payee').address } });
await sdk.lookup({ query: { task: name } });
await sdk.lookupPaid({ query: { task: name } });
await sdk.lookupPaid({ query: { task: name }, headers: { 'X-402-Version': '1' } });

const { url } = task;
const check = present((await sdk.spotCheck({ query: { url } })).data, 'check');
const receiptId = present(check.receipt_id, 'receipt');
await sdk.spotCheckPost({ body: { url } });
await sdk.spotCheckPost({ body: { url, mode: 'dry-run' } });
await sdk.getPack();
await sdk.postPack();

await sdk.skipsPage();
const skips = present((await sdk.skips()).data, 'skips');
present(skips.skips[0], 'skip');
await sdk.skipsCsv();
await sdk.skipsFeed();
await sdk.listReceipts();
const listed = present((await sdk.listReceipts({ query: { type: 'dry-run', limit: 1 } })).data, 'listing');
if (!('next_cursor' in listed)) throw new Error('no listing of checks');
await sdk.receiptsByUrl({ query: { url } });
await sdk.receipt({ path: { id: receiptId } });
await sdk.receiptStatement({ path: { id: receiptId } });
await sdk.receiptProof({ path: { id: receiptId } });
await sdk.receiptTlogProof({ path: { id: receiptId } });
const statement = present((await sdk.receiptStatement({ path: { id: receiptId } })).data, 'statement');
await sdk.rulesFile({ path: { version: statement.rules } });
await sdk.logPolicy();
await sdk.logCheckpoint();
await sdk.corrections();

const NO_FILE = '0'.repeat(64);
const sha256 = (await sdk.snapshot()).data?.sha256 ?? NO_FILE;
await sdk.snapshotFile({ path: { sha256 } });
await sdk.snapshotPart({ path: { sha256, part: '00' } });
await sdk.snapshotDelta({ path: { from: NO_FILE, to: sha256 } });

await sdk.badge({ query: { url } });
await sdk.watchFeed({ query: { url } });
await sdk.seller({ body: strangersRequest(url) });
await sdk.health();
await sdk.readiness();
await sdk.mcp({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
await sdk.mcp({ body: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] });
report();
