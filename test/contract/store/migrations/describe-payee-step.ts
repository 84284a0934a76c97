import { describe, expect, it } from 'vitest';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { statementOfCrawl } from '../../../../src/core/statement/stated-crawl.ts';
import { PAYEE, THIEF } from '../../../../tools/samples/challenge.ts';
import { crawlRow, statedRow } from '../../../../tools/samples/crawl-rows.ts';
import type { NewPlace } from '../../../support/storing/stores.ts';

const BEFORE = 18;
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** The migration that added the columns by which hosts and payees are found. `newPlace` makes places without tables. */
export function describePayeeStep(name: string, newPlace: NewPlace): void {
  describe(`the step to hosts and payees on ${name}`, () => {
    /** The rows of these bodies after the step. */
    const migrated = async (
      bodies: readonly string[],
      columns = { url: 'https://A.example:81/x', host: '' },
    ) => {
      const place = await newPlace();
      const connected = await place.connect();
      await migrate(connected, HISTORY.slice(0, BEFORE));
      for (const [run, at] of [
        ['older', 1],
        ['latest', 2],
      ]) {
        await place.ask(
          `insert into crawl_runs (id, started_at, crawled_at, body) values ('${run}', 1, ${at}, '{}')`,
        );
        for (const [n, body] of bodies.entries()) {
          await place.ask(`insert into crawl_receipts (id, run_id, url_key, url, verdict, body, host)
            values ('${run}-${n}', '${run}', 'key-${n}', '${columns.url}', 'pay', '${body}', '${columns.host}')`);
        }
      }
      await migrate(connected, HISTORY.slice(0, BEFORE + 1));
      await connected.database.destroy();
      const rows = await place.ask('select id, host, payee, replaced_payee from crawl_receipts order by id');
      await place.remove();
      return rows;
    };

    const stored = (changes: object) =>
      JSON.stringify({ ...crawlRow(1).receipt, claimedPrice: '1', quotedPrice: '2', ...changes });
    const stated = (changes: object) => statementOfCrawl({ ...statedRow(1).receipt, ...changes }) ?? '';

    it.each<[string, string, object]>([
      [
        'a payee in lower case',
        stored({ payTo: PAYEE.toUpperCase().replace('0X', '0x'), listedPayTo: PAYEE }),
        { payee: PAYEE.toLowerCase(), replaced_payee: null },
      ],
      [
        'a base58 payee as it is',
        stored({ payTo: SOLANA, listedPayTo: null }),
        { payee: SOLANA, replaced_payee: null },
      ],
      [
        'the listed payee that was replaced',
        stored({ payTo: THIEF, listedPayTo: PAYEE }),
        { payee: THIEF.toLowerCase(), replaced_payee: PAYEE.toLowerCase() },
      ],
      [
        'no replaced payee without a live one',
        stored({ payTo: null, listedPayTo: PAYEE }),
        { payee: null, replaced_payee: null },
      ],
      [
        'no payee that is not an address',
        stored({ payTo: 'nobody', listedPayTo: PAYEE }),
        { payee: null, replaced_payee: null },
      ],
      [
        'the payees of a statement',
        stated({ payTo: THIEF, listedPayTo: PAYEE }),
        { payee: THIEF.toLowerCase(), replaced_payee: PAYEE.toLowerCase() },
      ],
      [
        'a statement without payees',
        stated({ payTo: null, listedPayTo: null }),
        { payee: null, replaced_payee: null },
      ],
    ])('fills in %s, in the latest run only', async (_, body, columns) => {
      expect(await migrated([body])).toEqual([
        { id: 'latest-0', host: 'a.example', ...columns },
        { id: 'older-0', host: '', payee: null, replaced_payee: null },
      ]);
    });

    it('fills in what is set aside', async () => {
      const place = await newPlace();
      const connected = await place.connect();
      await migrate(connected, HISTORY.slice(0, BEFORE));
      await place.ask("insert into crawl_runs (id, started_at, crawled_at, body) values ('run', 1, 2, '{}')");
      for (const code of ['needs_input', 'no_paywall']) {
        await place.ask(`insert into crawl_receipts (id, run_id, url_key, url, verdict, body, host, code)
          values ('${code}', 'run', '${code}', 'https://a.example/x', 'skip', '${stored({})}', '', '${code}')`);
      }
      await migrate(connected, HISTORY.slice(0, BEFORE + 1));
      await connected.database.destroy();
      expect(await place.ask('select id, set_aside from crawl_receipts order by id')).toEqual([
        { id: 'needs_input', set_aside: 1 },
        { id: 'no_paywall', set_aside: null },
      ]);
      await place.remove();
    });

    it('leaves a host that is there, and none that is too long for an index', async () => {
      const body = stored({ payTo: null });
      const [kept] = await migrated([body], { url: 'https://b.example/x', host: 'a.example' });
      expect(kept).toMatchObject({ host: 'a.example' });
      const [long] = await migrated([body], { url: `https://${'d'.repeat(300)}.example/x`, host: '' });
      expect(long).toMatchObject({ host: '' });
    });

    it('fills in more rows than it reads at once, which have one URL', async () => {
      const rows = await migrated(Array.from({ length: 501 }, () => stored({ payTo: PAYEE })));
      const filled = rows.filter((row) => JSON.stringify(row).includes(PAYEE.toLowerCase()));
      expect(filled).toHaveLength(501);
    });

    it('lets a release that does not know the columns go on', async () => {
      const place = await newPlace();
      const { runs } = await place.open();
      await place.ask("insert into crawl_runs (id, started_at, crawled_at, body) values ('old', 1, 2, '{}')");
      await place.ask(`insert into crawl_receipts (id, run_id, url_key, url, verdict, body, host)
        values ('1', 'old', 'key', 'https://a.example/x', 'skip', '${stored({ payTo: PAYEE })}', 'a.example')`);
      expect(await runs.partRows('old', { by: 'host', value: 'a.example' }, 9)).toHaveLength(1);
      expect(await runs.partRows('old', { by: 'payee', value: PAYEE.toLowerCase() }, 9)).toEqual([]);
      expect(await runs.countableRuns(9)).toEqual([]);
      await place.remove();
    });
  });
}
