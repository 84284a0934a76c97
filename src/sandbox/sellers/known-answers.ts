import { createHash } from 'node:crypto';

/** What the buyer gets, or why the question is invalid. */
export type Goods =
  | { readonly kind: 'goods'; readonly body: object }
  | { readonly kind: 'bad_question'; readonly error: string };

/** Deterministic: the same question always has the same answer, so that answers can be graded. */
export type MakeGoods = (question: (name: string) => string | null) => Goods;

/** Units per dollar; fixed. */
const RATES: ReadonlyMap<string, number> = new Map([
  ['USD', 1],
  ['EUR', 0.92],
  ['GBP', 0.79],
  ['CHF', 0.88],
  ['JPY', 150],
]);
const AMOUNT = /^[0-9]{1,9}(?:\.[0-9]{1,2})?$/;

export const convertCurrency: MakeGoods = (question) => {
  const amount = question('amount') ?? '';
  const [from, to] = [question('from') ?? '', question('to') ?? ''];
  const [paid, bought] = [RATES.get(from), RATES.get(to)];
  if (!AMOUNT.test(amount)) return badQuestion('amount must be a number such as 100');
  if (paid === undefined || bought === undefined) {
    return badQuestion(`from and to must be two of ${[...RATES.keys()].join(', ')}`);
  }
  const result = Number(((Number(amount) / paid) * bought).toFixed(2));
  return goods({ amount: Number(amount), from, to, result });
};

const TEXT_MAX_CHARS = 10_000;

export const hashText: MakeGoods = (question) => {
  const text = question('text');
  if (text === null || text.length > TEXT_MAX_CHARS) return badQuestion('text must be sent');
  return goods({ text, sha256: createHash('sha256').update(text).digest('hex') });
};

const NUMBER = /^[1-9][0-9]{0,8}$/;

export const factorNumber: MakeGoods = (question) => {
  const n = question('n') ?? '';
  if (!NUMBER.test(n)) return badQuestion('n must be a whole number from 1 to 999999999');
  return goods({ n: Number(n), factors: primeFactors(Number(n)) });
};

/** At most 31,623 divisions. */
function primeFactors(n: number): number[] {
  const factors: number[] = [];
  let rest = n;
  for (let prime = 2; prime * prime <= rest; prime += 1) {
    for (; rest % prime === 0; rest /= prime) factors.push(prime);
  }
  return rest === 1 ? factors : [...factors, rest];
}

/** Every answer is wrong. */
export const deliverJunk: MakeGoods = () => goods({ result: 'Lorem ipsum dolor sit amet.' });

/** For sellers whose goods do not matter. */
export const deliverThanks: MakeGoods = () => goods({ delivered: true });

function goods(body: object): Goods {
  return { kind: 'goods', body };
}

function badQuestion(error: string): Goods {
  return { kind: 'bad_question', error };
}
