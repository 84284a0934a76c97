import type { ToldFix } from '../ask/told-fixes.ts';
import { plainText, wrap } from './plain-text.ts';

const PLACES: Readonly<Record<ToldFix['source'], string>> = {
  answer: 'the response',
  header: 'the header',
  body: 'the body',
};

/** Where it is, what is wrong and what to do, each on lines of its own. */
export function fixLines({ path, source, isWarning, problem, fix }: ToldFix, cells: number): string[] {
  const place = path === null ? PLACES[source] : `${plainText(path)} in ${PLACES[source]}`;
  return [
    ...wrap(isWarning ? `${place} (warning)` : place, cells),
    ...wrap(problem, cells),
    ...wrap(fix, cells),
  ];
}
