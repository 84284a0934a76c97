import type { PurchaseMove, PurchaseQuery, SpendingLimit } from './ledger.ts';
import { foundMost, timeOf } from './ledger-bounds.ts';
import { BOUGHT_STATES, OPEN_STATES, type PurchaseState, UNSPENT_STATES } from './purchase.ts';
import { encodeFacts, type PurchaseRow } from './purchase-codec.ts';

/** Values go in for question marks, in their order. */
export interface SqlText {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

type Column = keyof PurchaseRow;
const COLUMNS = [
  ...([
    'id',
    'key',
    'state',
    'host',
    'task',
    'request',
    'endpoint',
    'witnessed_at',
    'created',
    'updated',
  ] as const),
  ...(['terms', 'terms_sha256', 'amount', 'authorization', 'valid_before', 'payment'] as const),
  ...(['attempts', 'answer', 'chain', 'record'] as const),
] as const satisfies readonly Column[];

/** At once: a call waits for it. */
const FORGOTTEN_MAX = 1_000;

export interface LedgerDialect {
  readonly table: string;
  /** The column with the order in which rows were added. */
  readonly number: string;
  /** What a select adds to keep others from changing its row. SQLite has one lock for the whole file. */
  readonly rowLock?: string;
}

/** Statements that SQLite and PostgreSQL understand alike. */
export function ledgerSql({ table, number, rowLock = '' }: LedgerDialect) {
  const columns = COLUMNS.map(quoted).join(', ');
  return {
    /** With the time of the change and the time before which a reservation has expired. */
    expire: `update ${table} set state = 'expired', updated = ? where state = 'reserved' and created < ?`,
    /** Twice with the time before which it expired; an index has the first. It was never sent, and what was signed has run out. */
    forget: `delete from ${table} where id in
      (select id from ${table} where created < ? and state = 'expired' and updated < ? limit ${FORGOTTEN_MAX})`,
    /** With the time in seconds. */
    dropPayments: `update ${table} set payment = null where payment is not null and valid_before <= ?`,
    open: `select ${columns} from ${table} where key = ? and ${IS_OPEN}`,
    openToChange: `select ${columns} from ${table} where key = ? and ${IS_OPEN} ${rowLock}`,
    /** With the time of the change. */
    replace: `update ${table} set state = 'expired', updated = ? where id = ? and state = 'reserved'`,
    insert: `insert into ${table} (${columns}) values (${COLUMNS.map(() => '?').join(', ')})`,
    /** Returns a row when the purchase was in one of the states. */
    move(id: string, { from, to, at, facts = {} }: PurchaseMove): SqlText {
      const changes = Object.entries(encodeFacts(facts));
      const set = ['state', 'updated', ...changes.map(([column]) => column)].map(
        (column) => `${quoted(column)} = ?`,
      );
      return {
        sql: `update ${table} set ${set.join(', ')} where id = ? and state in (${listed(from)}) returning id`,
        values: [to, timeOf(at), ...changes.map(([, value]) => value), id],
      };
    },
    spent(limit: SpendingLimit): SqlText {
      const { sql, values } = where([
        [`state not in (${listed(UNSPENT_STATES)})`],
        ['created >= ?', limit.since?.getTime()],
        ['host = ?', limit.host],
        ['task = ?', limit.task],
      ]);
      return { sql: `select cast(coalesce(sum(amount), 0) as text) as spent from ${table} ${sql}`, values };
    },
    find(query: PurchaseQuery): SqlText {
      const { sql, values } = where([
        stateIs(query.state),
        ['id = ?', query.id],
        ['key = ?', query.key],
        ['request = ?', query.request],
        ['endpoint = ?', query.endpoint],
        ['terms_sha256 = ?', query.termsSha256],
        ['witnessed_at >= ?', query.witnessedSince?.getTime()],
      ]);
      const most = foundMost(query);
      // The limit of most questions is no parameter, for the same reason as the state.
      return {
        sql: `select ${columns} from ${table} ${sql} order by created desc, ${number} desc limit ${most === 1 ? 1 : '?'}`,
        values: most === 1 ? values : [...values, most],
      };
    },
  };
}

export function insertValues(row: PurchaseRow): (string | number | null)[] {
  return COLUMNS.map((column) => row[column]);
}

/** The columns are the same in both databases; `integer` is the type that holds 64 bits. */
export function createTable(table: string, integer: string, extra = ''): string {
  return `create table ${table} (id text primary key, key text not null, state text not null, host text not null, task text,
    request text not null, endpoint text not null, witnessed_at ${integer}, created ${integer} not null,
    updated ${integer} not null, terms text not null, terms_sha256 text not null, amount ${integer} not null,
    "authorization" text not null, valid_before ${integer}, payment text, attempts text not null, answer text not null,
    chain text not null, record text not null${extra})`;
}

/** The sums are answered from the indexes alone: they have amount and state in them. */
export function createIndexes(table: string): string[] {
  return [
    `create unique index ${table}_open on ${table} (key) where ${IS_OPEN}`,
    `create index ${table}_reserved on ${table} (created) where state = 'reserved'`,
    `create index ${table}_payable on ${table} (valid_before) where payment is not null`,
    `create index ${table}_day on ${table} (created, state, amount)`,
    `create index ${table}_host on ${table} (host, created, state, amount)`,
    `create index ${table}_task on ${table} (task, created, state, amount) where task is not null`,
    `create index ${table}_request on ${table} (request, created)`,
    `create index ${table}_endpoint on ${table} (endpoint, created)`,
  ];
}

type Condition = readonly [sql: string] | readonly [sql: string, value: string | number | undefined];

function stateIs(state: PurchaseQuery['state']): Condition {
  if (state === 'open') return [IS_OPEN];
  if (state === 'bought') return [`state in (${listed(BOUGHT_STATES)})`];
  // Not a parameter: SQLite would plan anew at each use, because an index may hold that state alone.
  return state === undefined ? ['state = ?', state] : [`state in (${listed([state])})`];
}

/** Conditions whose value is undefined do not narrow. */
function where(conditions: readonly Condition[]): SqlText {
  const given = conditions.filter((condition) => condition.length === 1 || condition[1] !== undefined);
  return {
    sql: given.length === 0 ? '' : `where ${given.map(([sql]) => sql).join(' and ')}`,
    values: given.flatMap(([, value]) => (value === undefined ? [] : [value])),
  };
}

/** Nothing equals null, and both databases understand it where an empty list is no list. */
function listed(states: readonly PurchaseState[]): string {
  if (states.length === 0) return 'null';
  return states.map((state) => `'${state}'`).join(', ');
}

const IS_OPEN = `state in (${listed(OPEN_STATES)})`;

/** A word of the language in PostgreSQL. */
function quoted(column: string): string {
  return column === 'authorization' ? '"authorization"' : column;
}
