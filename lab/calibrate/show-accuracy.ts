import type { Behaviour, Truth } from './behaviour.ts';
import { count, falsePays, falseSkips, type Judged, nameOf, of, type Way } from './measure-accuracy.ts';
import { OUTCOMES } from './outcome.ts';

const HEAD = ['Class', 'Behaviours', 'Runs', 'pay', 'recheck', 'set aside', 'skip', 'Wrong'];

/** The tables of docs/accuracy.md. They depend on the outcomes only, so the same code writes the same text. */
export function accuracyTables(all: readonly Judged[]): string {
  return [
    summary(all),
    '',
    '### Honest sellers, by class',
    '',
    ...classTable(of(all, 'honest'), falseSkips(all)),
    '',
    '### Dishonest sellers, by class',
    '',
    ...classTable(of(all, 'dishonest'), falsePays(all)),
    '',
    ...wrongOnes(all),
  ].join('\n');
}

function summary(all: readonly Judged[]): string {
  const honest = of(all, 'honest');
  const dishonest = of(all, 'dishonest');
  const pays = falsePays(all);
  const skips = falseSkips(all);
  return [
    row(['Truth', 'Way', ...HEAD.slice(1, 7)]),
    row(Array.from({ length: 8 }, (_, index) => (index < 2 ? '---' : '--:'))),
    ...lines('honest', honest),
    ...lines('dishonest', dishonest),
    '',
    row(['Rate', 'Measured', 'Bound']),
    row(['---', '---', '---']),
    row(['false pay: a dishonest seller is paid', share(pays.length, dishonest.length), '0']),
    row(['false skip: an honest seller is skipped', share(skips.length, honest.length), 'at most 1 %']),
    row(['an honest seller is paid', share(count(honest, 'pay'), honest.length), 'none']),
  ].join('\n');
}

function lines(truth: Truth, all: readonly Judged[]): string[] {
  const ways: readonly Way[] = ['service', 'crawl'];
  return ways.map((way) => {
    const part = all.filter((one) => one.way === way);
    return row([truth, way, ...counts(part)]);
  });
}

function classTable(all: readonly Judged[], wrong: readonly Judged[]): string[] {
  const groups = [...new Set(all.map(({ behaviour }) => behaviour.group))].sort();
  return [
    row(HEAD),
    row(HEAD.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...groups.map((group) => {
      const inGroup = ({ behaviour }: Judged) => behaviour.group === group;
      return row([group, ...counts(all.filter(inGroup)), String(wrong.filter(inGroup).length)]);
    }),
  ];
}

function counts(part: readonly Judged[]): string[] {
  const behaviours = new Set<Behaviour>(part.map(({ behaviour }) => behaviour));
  return [behaviours.size, part.length, ...OUTCOMES.map((outcome) => count(part, outcome))].map(String);
}

function wrongOnes(all: readonly Judged[]): string[] {
  const wrong = [...falsePays(all), ...falseSkips(all)].map(nameOf).sort();
  return wrong.length === 0 ? ['No run was wrong.'] : ['Wrong:', '', ...wrong.map((name) => `- ${name}`)];
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
