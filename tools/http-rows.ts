import type { Store } from '../src/adapters/store/store.ts';
import { CRAWL_PAGE_SIZE } from '../src/core/limits.ts';
import { microUsd } from '../src/core/money/micro-usd.ts';
import { crawlReceipt } from '../src/core/receipt/crawl-receipt.ts';
import { summarizeRows } from '../src/core/receipt/crawl-summary.ts';
import { crawlReceiptId } from '../src/core/receipt/receipt-id.ts';
import { parseTargetUrl } from '../src/core/url/target-url.ts';
import { parseNetwork } from '../src/core/x402/networks.ts';
import { sampleReceipt } from './store-rows.ts';

export const RECEIPT_ID = sampleReceipt(1).id;
const RUN_ID = 'bench-run';
const AT = new Date('2026-11-15T12:00:00.000Z');
const ROWS = 1_500;

/** One receipt, paid calls of every service, and a published run with three pages of skips. */
export async function fillStore(store: Store, serviceIds: readonly string[]): Promise<void> {
  await store.receipts.add(sampleReceipt(1), 'key');
  for (const serviceId of serviceIds) for (let n = 0; n < 20; n += 1) await addCall(store, serviceId, n);
  await publishRun(store);
}

async function addCall({ paidCalls }: Store, serviceId: string, n: number): Promise<void> {
  const id = `${serviceId}-${n}`;
  const calledAt = new Date(AT.getTime() - n * 86_400_000);
  const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
  const caps = { perDay: microUsd(1_000_000_000n), total: microUsd(1_000_000_000n) };
  await paidCalls.begin({ id, serviceId, calledAt, amount: microUsd(1_000n), payTo }, caps);
  await paidCalls.finish(
    id,
    {
      calledAt,
      tx: `0x${'ab'.repeat(32)}`,
      charged: microUsd(1_000n),
      payTo,
      delivered: true,
      ourFault: false,
      quality: n % 5 === 0 ? 'fail' : 'pass',
      qualityReason: 'all 2 checks passed',
      httpStatus: 200,
      latencyMs: 120 + n,
    },
    { bodySha256: null, body: null },
  );
}

async function publishRun({ runs }: Store): Promise<void> {
  await runs.begin(RUN_ID, AT);
  const rows = Array.from({ length: ROWS }, (_, n) => row(n));
  await runs.add(RUN_ID, rows);
  const all = await runs.rows(RUN_ID, null, ROWS);
  const starts = all
    .map(({ receipt: { url, id } }) => ({ url, id }))
    .filter((_, at) => (at + 1) % CRAWL_PAGE_SIZE === 0);
  const pageStarts = starts.slice(0, Math.ceil(ROWS / CRAWL_PAGE_SIZE) - 1);
  const sources = new Map([['a-list', { ok: true, items: ROWS, skipped: false, note: 'read whole' }]]);
  const run = { id: RUN_ID, crawledAt: AT, previousRun: null, summary: summarizeRows(all), sources };
  await runs.publish(run, { all: pageStarts, skip: pageStarts });
}

function row(n: number) {
  const reading = parseTargetUrl(`https://seller-${n}.example.com/v1/data`);
  if (reading.kind === 'invalid') throw new Error('a row of the benchmark should have a URL');
  const receipt = crawlReceipt({
    id: crawlReceiptId(RUN_ID, reading.target.normalized),
    listed: {
      target: reading.target,
      method: 'GET',
      claim: { price: microUsd(10_000n), payTo: null, network: parseNetwork('base') },
      input: null,
      list: 'a-list',
      listedIn: ['a-list'],
    },
    finding: { kind: 'judged', verdict: { verdict: 'skip', reason: 'no_paywall', status: 404, hint: null } },
    offer: null,
    observation: null,
    checkedAt: AT,
  });
  return { urlKey: `key-${n}`, receipt };
}
