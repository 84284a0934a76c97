import { urlKeyOf } from '../../../src/core/keyed-hash.ts';
import { CRAWL_PAGE_SIZE } from '../../../src/core/limits.ts';
import { crawlId, statedRow } from '../../../tools/samples/crawl-rows.ts';
import { listed, target } from '../../../tools/samples/listed.ts';
import { RANK } from '../crawling/crawl-work.ts';
import { publishCrawl } from '../crawling/published-crawl.ts';
import { NOON, SECRET, type TestService } from '../running/running-service.ts';
import type { Place } from '../storing/stores.ts';

export interface Everywhere {
  readonly url: string;
  readonly liveId: string;
  readonly dryRunId: string;
  /** In two runs; in the first one it ends a page of both listings. */
  readonly crawlIds: readonly [string, string];
}

const LATER = new Date(NOON.getTime() + 1_000);
const TARGET_ID = 900_001;

/** A URL with this word in every table that can have it. */
export async function putEverywhere(service: TestService, word: string): Promise<Everywhere> {
  const url = `http://seller.example/honest/${word}?note=${word}`;
  const { store, place } = service;
  const urlKey = urlKeyOf(SECRET)(target(url).normalized);
  const check = async (mode: string): Promise<string> => {
    const query = new URLSearchParams({ url, ...(mode === 'live' ? {} : { mode }) });
    return (await service.ask(`/v1/products/endpoint-spot-check?${query}`)).json.receipt_id;
  };
  const [liveId, dryRunId] = [await check('live'), await check('dry-run')];

  const row = (n: number, shown: string, key: string) => {
    const { receipt } = statedRow(n);
    return { urlKey: key, receipt: { ...receipt, url: shown } };
  };
  const fill = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => {
      const number = from + n;
      return row(number, `http://a.example/${String(number).padStart(6, '0')}`, `key-${number}`);
    });
  const [first, second] = [row(TARGET_ID, url, urlKey), row(TARGET_ID + 1, url, urlKey)];
  const after = row(TARGET_ID + 2, 'http://zz.example/', 'key-zz');
  await publishCrawl(store.runs, 'run-1', [...fill(CRAWL_PAGE_SIZE - 1, 1), first, after]);
  await publishCrawl(store.runs, 'run-2', [second, ...fill(2, 2_000)], { crawledAt: LATER });
  await store.crawlWork.list('run-1', [listed(url)], [urlKey], RANK);

  const state = { verdict: 'pay', price: null, payTo: null, at: NOON } as const;
  const watch = {
    urlKey,
    originKey: 'host',
    ownerKey: 'owner',
    url,
    method: null,
    until: LATER,
    seen: state,
  };
  const most = { ofOrigin: 9, ofOwner: 9, inAll: 9 };
  await store.watches.add({ ...watch, id: 'watch', webhook: 'https://hook.example/' }, most);
  await place.ask('update watches set look_at = 0');
  for (const taken of await store.watches.take(1, NOON, 9)) {
    await store.watches.note(taken, { ...state, verdict: 'skip' }, { id: 'e', watchId: 'watch', body: url });
  }
  const signed = { statement: `{"url":"${url}"}`, key: 'k', signature: 's' };
  await store.sellers.keepReply({ urlKey, note: `About ${word}.`, at: NOON, signed });
  const retest = {
    spellingKey: 'spelled',
    method: 'GET',
    verdict: 'pay',
    reason: 'x',
    needsInput: false,
  } as const;
  await store.sellers.keepRetest({ ...retest, receiptId: liveId, checkedAt: NOON });
  await place.ask(paid('paid', JSON.stringify({ receipt_id: liveId, url })));
  await place.ask(paid('other', JSON.stringify({ receipt_id: 'sc-ffffffffffffffff' })));
  return { url, liveId, dryRunId, crawlIds: [crawlId(TARGET_ID), crawlId(TARGET_ID + 1)] };
}

/** A settled payment with its answer. */
function paid(key: string, answer: string): string {
  return `insert into payments (key, request_key, state, holder, held_until, changed_at, frozen_at, answer, sends, send_after)
    values ('${key}', 'r', 'settled', 'h', 0, 0, 1, '${answer}', 0, 0)`;
}

const TABLES = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
const TABLES_PG = `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
  and relkind in ('r', 'p') and not relispartition`;

/** The tables that have this word in any column. */
export async function tablesWith(place: Place, word: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await place.ask('file' in place.settings ? TABLES : TABLES_PG)) {
    const rows = await place.ask(`select * from ${String(name)}`);
    const values = rows.flatMap((row) => Object.values(row));
    const texts = values.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    );
    if (texts.some((text) => text.includes(word))) found.push(String(name));
  }
  return found.sort();
}
