import { sql } from 'kysely';
import { encodeLiveReceipt } from '../src/adapters/store/receipts/receipt-codec.ts';
import type { Connected } from '../src/adapters/store/store.ts';
import { type LiveReceipt, liveReceipt } from '../src/core/receipt/live-receipt.ts';
import { parseTargetUrl } from '../src/core/url/target-url.ts';
import { expectedTerms } from '../src/core/verdict/expected-terms.ts';
import { judge } from '../src/core/verdict/judge.ts';
import { observe } from '../src/core/verdict/observation.ts';
import { typicalAnswer } from './samples/typical-answer.ts';

const FIRST_MS = Date.UTC(2026, 0, 1);
const reading = parseTargetUrl('https://api.example.com/v1/data');
if (reading.kind === 'invalid') throw new Error('the target of the benchmark should be a URL');
const probedAt = new Date(FIRST_MS);
const observation = observe(typicalAnswer(2_048).answer);
const expected = expectedTerms({ price: null, payTo: null, network: null }, null);
const model = liveReceipt({
  id: 'sc-0000000000000000',
  target: reading.target,
  method: 'GET',
  checkedAt: probedAt,
  selfTest: false,
  mode: 'live',
  ref: null,
  task: null,
  listing: null,
  expected,
  observation,
  probe: { probedAt, cached: false },
  verdict: judge(observation, expected, probedAt).verdict,
  salt: 'AAECAwQFBgcICQoLDA0ODw',
});

/** The receipt with this number; ids and times rise together. */
export function sampleReceipt(number: number): LiveReceipt {
  const id = `sc-${number.toString(16).padStart(16, '0')}`;
  return { ...model, id, checkedAt: new Date(FIRST_MS + number) };
}

/** Fills the table inside the engine: a million single inserts would measure something else. */
export async function loadReceipts({ engine, database }: Connected, count: number): Promise<void> {
  const body = encodeLiveReceipt(model);
  const id = engine === 'sqlite' ? sql`printf('sc-%016x', i)` : sql`'sc-' || lpad(to_hex(i), 16, '0')`;
  const numbers =
    engine === 'sqlite'
      ? sql`(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n)`
      : sql`(select generate_series(0, ${count - 1}::bigint) as i) as numbers`;
  await sql`insert into live_receipts (id, mode, ref, checked_at, url_key, body)
    select ${id}, 'live', null, ${FIRST_MS} + i, 'key-' || (i % 1000), ${body} from ${numbers}`.execute(
    database,
  );
}
