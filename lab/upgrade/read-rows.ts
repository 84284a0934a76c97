import type { Database } from '../world/database.ts';
import type { CounterNote } from './check-quotas.ts';

/** How many rows of published runs there are, and a hash of them. A column that a step has added is null and left out. */
export async function crawlRows(database: Database): Promise<string> {
  const published = 'select id from crawl_runs where crawled_at is not null';
  const parts = [
    `crawl_runs t where t.id in (${published})`,
    `crawl_receipts t where t.run_id in (${published})`,
    `crawl_pages t where t.run_id in (${published})`,
  ];
  const hashed = "md5(string_agg(jsonb_strip_nulls(to_jsonb(t))::text, ' ' order by to_jsonb(t)::text))";
  const read = parts.map(async (part) => {
    const [row] = await database.rows(`select count(*)::text || ' ' || ${hashed} as text from ${part}`);
    return String(row?.['text']);
  });
  return (await Promise.all(read)).join(', ');
}

export async function quotaRows(database: Database): Promise<CounterNote[]> {
  const rows = await database.rows('select key, "window", used from counters');
  return rows.map(({ key, window, used }) => ({
    key: String(key),
    window: String(window),
    used: Number(used),
  }));
}
