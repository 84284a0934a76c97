import { type Allowance, type AllowanceReport, createAllowance } from './allowances.ts';
import type { Journal } from './journal.ts';
import { metered, noteReceipt, type Operation, only, type Prepared } from './operation.ts';
import { callTool, checkPath, get } from './request-text.ts';
import type { SignedPayments } from './signed-payments.ts';

export interface Mix {
  next(): Prepared;
  allowances(): Readonly<Record<string, AllowanceReport>>;
}

export interface MixParts {
  readonly journal: Journal;
  readonly payments: SignedPayments;
  /** Names that a lookup finds something for. */
  readonly tasks: readonly string[];
  /** URLs of sellers, each on a host of its own. */
  readonly sellers: readonly string[];
  readonly etag: string;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What a check costs while its target asks for ten cents or less, and a lookup. */
const CHECK_UNITS = 10_000n;
const LOOKUP_UNITS = 20_000n;
const PAGES = ['/', '/catalog', '/docs', '/v1/skips', '/v1/receipts'];
/** Each with the only answer that is right. */
const MISTAKES: readonly (readonly [path: string, status: number])[] = [
  ['/v1/lookup?task=weather&n=0', 400],
  ['/v1/lookup', 400],
  ['/v1/receipts/sc-ffffffffffffffff', 404],
  ['/v1/receipts?limit=0', 400],
  ['/v1/products/endpoint-spot-check?url=ftp%3A%2F%2Fexample.com', 400],
  ['/v1/products/endpoint-spot-check?url=http%3A%2F%2F10.0.0.1%2F', 400],
  ['/nowhere', 404],
];
/** What an answer says that it cost; a lookup also shows what others were charged. */
const CHARGED = /"access":\{"tier":"paid","charged_usd":"(\d+)\.(\d{2,6})"/;
/** How often one URL is checked before the next one: all but the first share a probe. */
const CHECKS_PER_URL = 5;

export function createMix(parts: MixParts): Mix {
  const numbers = { caller: 0, url: 0, turn: 0 };
  const newCaller = () => numbers.caller++;
  const turn = () => numbers.turn++;
  const nextUrl = () => {
    const n = Math.floor(numbers.url++ / CHECKS_PER_URL);
    return `${parts.sellers[n % parts.sellers.length]}?load=${n}`;
  };
  const allowances = {
    lookup: createAllowance(5, newCaller),
    check: createAllowance(1, newCaller),
    'dry run': createAllowance(50, newCaller),
  };
  const tools = { ...parts, newCaller, turn, nextUrl, allowances };
  const operations = [...reading(tools), ...checking(tools), ...paying(tools)];
  const total = operations.reduce((sum, { weight }) => sum + weight, 0);
  const choose = (): Operation | undefined => {
    let rest = parts.random() * total;
    for (const operation of operations) {
      rest -= operation.weight;
      if (rest < 0) return operation;
    }
    return operations[0];
  };
  return {
    next() {
      for (;;) {
        const operation = choose();
        const prepared = operation?.prepare() ?? null;
        if (operation !== undefined && prepared !== null) return { operation: operation.name, ...prepared };
      }
    },
    allowances: () =>
      Object.fromEntries(Object.entries(allowances).map(([name, allowance]) => [name, allowance.report()])),
  };
}

interface Tools extends MixParts {
  readonly newCaller: () => number;
  readonly turn: () => number;
  readonly nextUrl: () => string;
  readonly allowances: Readonly<Record<'lookup' | 'check' | 'dry run', Allowance>>;
}

function reading({ journal, tasks, etag, newCaller, turn, allowances }: Tools): Operation[] {
  const plain = (name: string, weight: number, path: () => string, fields = '', status = 200): Operation => ({
    name,
    weight,
    prepare: () => only(name, status, get(path(), newCaller(), fields)),
  });
  const task = () => tasks[turn() % tasks.length] ?? '';
  return [
    {
      name: 'lookup',
      weight: 560,
      prepare: () =>
        metered('lookup', 402, allowances.lookup, (caller) => get(`/v1/lookup?task=${task()}`, caller)),
    },
    {
      name: 'receipt by id',
      weight: 120,
      prepare() {
        const receipt = journal.takeReceipt();
        if (receipt === null) return null;
        return {
          text: get(`/v1/receipts/${receipt.id}`, newCaller()),
          wantsBody: false,
          answered(answer) {
            journal.receiptRead(receipt, answer?.status === 200);
            return answer?.status === 200 ? 'receipt by id' : null;
          },
        };
      },
    },
    {
      name: 'receipt by URL',
      weight: 40,
      prepare() {
        const url = journal.checkedUrl();
        const path = `/v1/receipts/by-url?url=${encodeURIComponent(url ?? '')}`;
        return url === null ? null : only('receipt by URL', 200, get(path, newCaller()));
      },
    },
    plain('tasks', 40, () => '/v1/tasks'),
    plain('skips, known', 40, () => '/v1/skips.json', `if-none-match: ${etag}\r\n`, 304),
    plain('skips', 10, () => '/v1/skips.json'),
    plain('page', 40, () => PAGES[turn() % PAGES.length] ?? '/', 'accept: text/html\r\n'),
    {
      name: 'MCP lookup',
      weight: 50,
      prepare: () => only('MCP lookup', 200, callTool('lookup', { task: task() }, newCaller())),
    },
    {
      name: 'mistake',
      weight: 30,
      prepare() {
        const [path, status] = MISTAKES[turn() % MISTAKES.length] ?? ['/nowhere', 404];
        return only('mistake', status, get(path, newCaller()));
      },
    },
  ];
}

function checking({ journal, nextUrl, allowances }: Tools): Operation[] {
  const check = (
    name: string,
    weight: number,
    refusal: number,
    allowance: Allowance,
    mode: 'live' | 'dry-run',
  ): Operation => ({
    name,
    weight,
    prepare() {
      const url = nextUrl();
      const prepared = metered(name, refusal, allowance, (caller) => get(checkPath(url, mode), caller));
      return {
        ...prepared,
        wantsBody: true,
        answered(answer) {
          const row = prepared.answered(answer);
          if (answer?.status === 200) noteReceipt(journal, answer, url);
          if (answer?.status === 402) journal.spent(prepared.caller);
          return row;
        },
      };
    },
  });
  return [
    check('check', 24, 402, allowances.check, 'live'),
    check('dry run', 40, 429, allowances['dry run'], 'dry-run'),
  ];
}

function paying({ journal, payments, tasks, newCaller, turn, nextUrl }: Tools): Operation[] {
  const paid = (
    row: string,
    units: bigint,
    text: string,
    url: string | null,
  ): Omit<Prepared, 'operation'> => ({
    text,
    wantsBody: true,
    isPurchase: true,
    answered(answer) {
      const charged = CHARGED.exec(answer?.body ?? '');
      if (answer?.status !== 200 || charged === null) return null;
      journal.delivered(units, BigInt(`${charged[1]}${(charged[2] ?? '').padEnd(6, '0')}`));
      if (url !== null) noteReceipt(journal, answer, url);
      return row;
    },
  });
  return [
    {
      name: 'paid lookup',
      weight: 2,
      prepare() {
        const payment = payments.take(LOOKUP_UNITS);
        if (payment === null) return null;
        const path = `/v1/lookup/paid?task=${tasks[turn() % tasks.length]}`;
        return paid('paid lookup', LOOKUP_UNITS, get(path, newCaller(), payment), null);
      },
    },
    {
      name: 'paid check',
      weight: 2,
      prepare() {
        const caller = journal.takeSpent();
        const payment = caller === null ? null : payments.take(CHECK_UNITS);
        if (caller === null || payment === null) return null;
        const url = nextUrl();
        return paid('paid check', CHECK_UNITS, get(checkPath(url, 'live'), caller, payment), url);
      },
    },
  ];
}
