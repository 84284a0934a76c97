import { PAYEE } from '../../tools/samples/challenge.ts';
import { SOLANA_PAYEE } from './addresses.ts';
import type { Behaviour, Truth } from './behaviour.ts';
import { checkByCrawl } from './check-by-crawl.ts';
import { checkByService } from './check-by-service.ts';
import type { Finding, Outcome } from './outcome.ts';
import { startWorld } from './world.ts';

const SECRET = 'a secret of the calibration';

export type Way = 'crawl' | 'service';

/** One behaviour, judged in one way. */
export interface Judged {
  readonly behaviour: Behaviour;
  readonly way: Way;
  readonly finding: Finding;
}

/** All behaviours through the service, and those that are listed through a crawl before. */
export async function measureAccuracy(corpus: readonly Behaviour[]): Promise<readonly Judged[]> {
  const world = await startWorld(corpus);
  try {
    const crawled = await checkByCrawl(corpus, world, SECRET);
    const checked = await checkByService(corpus, world, SECRET);
    return [...judged('crawl', crawled), ...judged('service', checked)];
  } finally {
    await world.close();
  }
}

function judged(way: Way, findings: ReadonlyMap<Behaviour, Finding>): Judged[] {
  return [...findings].map(([behaviour, finding]) => ({ behaviour, way, finding }));
}

export function falseSkips(all: readonly Judged[]): readonly Judged[] {
  return of(all, 'honest').filter(({ finding }) => finding.outcome === 'skip');
}

const OWN: ReadonlySet<string> = new Set([PAYEE.toLowerCase(), SOLANA_PAYEE.toLowerCase()]);

/** Also an honest seller's, if the payment that was approved goes to somebody else. */
export function falsePays(all: readonly Judged[]): readonly Judged[] {
  return all.filter(
    ({ behaviour, finding: { outcome, payTo } }) =>
      outcome === 'pay' && (behaviour.truth === 'dishonest' || !OWN.has(payTo?.toLowerCase() ?? '')),
  );
}

export function of(all: readonly Judged[], truth: Truth): readonly Judged[] {
  return all.filter(({ behaviour }) => behaviour.truth === truth);
}

export function count(all: readonly Judged[], outcome: Outcome): number {
  return all.filter(({ finding }) => finding.outcome === outcome).length;
}

/** The bounds. */
export const FALSE_PAYS_MAX = 0;
export const FALSE_SKIP_SHARE_MAX = 0.01;

export function violationsIn(all: readonly Judged[]): readonly string[] {
  const pays = falsePays(all);
  const skips = falseSkips(all);
  const share = skips.length / Math.max(1, of(all, 'honest').length);
  return [
    ...(pays.length > FALSE_PAYS_MAX ? [`false pay: ${pays.map(nameOf).join('; ')}`] : []),
    ...(share > FALSE_SKIP_SHARE_MAX ? [`false skip: ${skips.map(nameOf).join('; ')}`] : []),
  ];
}

export function nameOf({ behaviour: { group, name }, way, finding: { code } }: Judged): string {
  return `${group}: ${name} (${way}, ${code})`;
}
