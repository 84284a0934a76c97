import { html } from 'hono/html';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Html } from '../frame/layout.ts';
import { grouped, percent } from '../frame/numbers.ts';
import type { Tone } from '../frame/verdict-mark.ts';
import { CARD_WIDTH, card, type Fact, line, MARGIN, sentences, shape, TONES } from './card-frame.ts';
import { shownHost } from './shown-host.ts';
import { textWidth } from './text-width.ts';

const NO_CRAWL = 'No weekly check of the listed endpoints has been published yet.';

/** The picture of the latest crawl. */
export function skipsCard(run: CrawlRun | null, links: Pick<Links, 'base'>): Promise<string> {
  const frame = { tone: 'skip', aside: shownHost(links.base) } as const;
  if (run === null) return card({ ...frame, body: headline('skips', NO_CRAWL), facts: [] });
  const { endpointsCovered, verdicts, needsInput, newThisWeek } = run.summary;
  const skips = verdicts.skip - needsInput;
  const words = `of ${grouped(endpointsCovered)} listed x402 endpoints (${percent(skips, endpointsCovered)}) have the verdict skip`;
  const parts: readonly Part[] = [
    ['skip', 'Skip', skips],
    ['recheck', 'Recheck', verdicts.recheck],
    ['aside', 'Need input', needsInput],
    ['pay', 'Pay', verdicts.pay],
  ];
  const facts: readonly Fact[] = [
    { name: 'Covered', value: grouped(endpointsCovered) },
    // In the first run everything is new, which says nothing.
    ...(run.previousRun === null ? [] : [{ name: 'New this week', value: grouped(newThisWeek) }]),
    { name: 'Weekly check', value: run.crawledAt.toISOString().slice(0, 10) },
  ];
  return card({ ...frame, body: html`${headline(grouped(skips), words)}${bar(parts)}`, facts });
}

type Part = readonly [tone: Tone, name: string, count: number];

const SHAPE = 150;

function headline(large: string, words: string): Html {
  const x = MARGIN + SHAPE + 40;
  return html`${shape('skip', MARGIN, 136, SHAPE)}${line(large, { x, y: 262, size: 150, face: 'bold', fill: TONES.skip.strong })}${sentences([words], { y: 348, size: 38 })}`;
}

const WIDTH = CARD_WIDTH - 2 * MARGIN;

/** The shares of the verdicts, and what each colour is. */
function bar(parts: readonly Part[]): Html {
  const whole = parts.reduce((sum, [, , count]) => sum + count, 0);
  if (whole === 0) return html``;
  const ends = parts.map((_, at) => parts.slice(0, at + 1).reduce((sum, [, , count]) => sum + count, 0));
  const segments = parts.map(([tone, , count], at) => {
    const x = Math.round((WIDTH * ((ends[at] ?? 0) - count)) / whole);
    const end = Math.round((WIDTH * (ends[at] ?? 0)) / whole);
    return html`<rect x="${MARGIN + x}" y="386" width="${Math.max(0, end - x - GAP)}" height="30" fill="${TONES[tone].strong}"/>\n`;
  });
  return html`${segments}${legend(parts)}`;
}

const GAP = 3;
const ICON = 40;
const BETWEEN = 36;

/** As large as fits on one line. */
function legend(parts: readonly Part[]): Html {
  const words = parts.map(([, name, count]) => `${name} ${grouped(count)}`);
  const ems = words.reduce((sum, text) => sum + textWidth(text, 'sans'), 0);
  const size = Math.min(28, Math.floor((WIDTH - parts.length * (ICON + BETWEEN)) / ems));
  const drawn = parts.map(([tone], at) => {
    const before = words.slice(0, at).reduce((sum, text) => sum + textWidth(text, 'sans') * size, 0);
    const x = MARGIN + at * (ICON + BETWEEN) + Math.round(before);
    return html`${shape(tone, x, 438, 30)}${line(words[at] ?? '', { x: x + ICON, y: 463, size })}`;
  });
  return html`${drawn}`;
}
