import { createHash } from 'node:crypto';

/** What a buyer gets for its money, or what is wrong with its question. */
export type Goods =
  | { readonly kind: 'goods'; readonly body: object }
  | { readonly kind: 'bad_question'; readonly error: string };

/** Makes the goods. The same question has the same answer on every day, so that anybody can tell a right one. */
export type Work = (question: (name: string) => string | null) => Goods;

/** Units of a currency for one dollar; they never change. */
const RATES: ReadonlyMap<string, number> = new Map([
  ['USD', 1],
  ['EUR', 0.92],
  ['GBP', 0.79],
  ['CHF', 0.88],
  ['JPY', 150],
]);
const AMOUNT = /^[0-9]{1,9}(?:\.[0-9]{1,2})?$/;

export const convertCurrency: Work = (question) => {
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

export const hashText: Work = (question) => {
  const text = question('text');
  if (text === null || text.length > TEXT_MAX_CHARS) return badQuestion('text must be sent');
  return goods({ text, sha256: createHash('sha256').update(text).digest('hex') });
};

const NUMBER = /^[1-9][0-9]{0,8}$/;

export const factorNumber: Work = (question) => {
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

/** Answers everything, and nothing rightly. */
export const deliverJunk: Work = () => goods({ result: 'Lorem ipsum dolor sit amet.' });

/** For sellers that are there to be checked; they deliver, too, when they are paid. */
export const deliverThanks: Work = () => goods({ delivered: true });

function goods(body: object): Goods {
  return { kind: 'goods', body };
}

function badQuestion(error: string): Goods {
  return { kind: 'bad_question', error };
}
