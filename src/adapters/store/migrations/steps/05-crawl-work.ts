import { sql } from 'kysely';
import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

export async function crawlWork({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('crawl_work')
    .addColumn('run_id', text, (column) => column.notNull().primaryKey())
    .addColumn('sealed', 'integer', (column) => column.notNull())
    .execute();

  await schema
    .createTable('crawl_hosts')
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('host', text, (column) => column.notNull())
    .addColumn('urls', 'bigint', (column) => column.notNull())
    .addColumn('urls_left', 'bigint', (column) => column.notNull())
    .addColumn('owner', text)
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('crawl_hosts_pk', ['run_id', 'host'])
    .modifyEnd(oneTree(engine))
    .execute();
  // Contains the lease, so that leased hosts are skipped within the index.
  await schema
    .createIndex('crawl_hosts_largest')
    .on('crawl_hosts')
    .columns(['run_id', 'urls_left desc', 'host', 'lease_until'])
    .execute();

  // With a rowid: keys arrive in random order, and splitting pages of such long rows is expensive.
  await schema
    .createTable('crawl_targets')
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('url_key', text, (column) => column.notNull())
    .addColumn('host', text, (column) => column.notNull())
    .addColumn('done', 'integer', (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('crawl_targets_pk', ['run_id', 'url_key'])
    .execute();
  await schema
    .createIndex('crawl_targets_left')
    .on('crawl_targets')
    .columns(['run_id', 'host', 'url_key'])
    .where(sql.ref('done'), '=', 0)
    .execute();

  await schema
    .createTable('crawl_listed')
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('list', text, (column) => column.notNull())
    .addColumn('url_key', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('crawl_listed_pk', ['run_id', 'list', 'url_key'])
    .modifyEnd(oneTree(engine))
    .execute();
}
