import { html } from 'hono/html';
import type { FoundReceipt } from '../../flows/read/read-receipts.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Html } from '../frame/layout.ts';
import { type ReceiptView, receiptView } from '../receipt/receipt-view.ts';
import { type ShownVerdict, shownVerdict } from '../receipt/shown-verdict.ts';
import { card, type Fact, line, MARGIN, sentences, shape, TONES } from './card-frame.ts';
import { cardWords, shownPrice } from './card-words.ts';
import { shownHost } from './shown-host.ts';
import { shownMinute } from './shown-minute.ts';

export interface ReceiptCardParts {
  readonly found: FoundReceipt;
  /** The newest correction. */
  readonly correction: Pick<StoredCorrection, 'is'> | null;
  readonly links: Pick<Links, 'base'>;
  readonly now: Date;
}

/** The picture of one receipt. A seller's text is nowhere in it, but for the name of its host. */
export function receiptCard({ found, correction, links, now }: ReceiptCardParts): Promise<string> {
  const view = receiptView(found);
  const shown = shownVerdict(view, now, correction !== null);
  const words =
    correction === null
      ? cardWords(found, shown.tone)
      : [`We said ${view.verdict}. The right verdict is ${correction.is}.`];
  return card({
    tone: shown.tone,
    aside: shownHost(links.base),
    body: bodyOf(shown, shownHost(view.url), words),
    facts: factsOf(view),
  });
}

const CHECKED: Readonly<Record<ReceiptView['kind'], string>> = {
  live: 'Live check, UTC',
  'dry-run': 'Dry run, UTC',
  crawl: 'Weekly check, UTC',
};

const SHAPE = 170;

function bodyOf(
  { tone, word }: Pick<ShownVerdict, 'tone' | 'word'>,
  host: string,
  words: readonly string[],
): Html {
  return html`${shape(tone, MARGIN, 148, SHAPE)}${verdict(word, TONES[tone].strong)}${line(host, { x: MARGIN, y: 386, size: 50, face: 'bold' })}${sentences(words, { y: 438, size: 32 })}`;
}

/** What limits a verdict stands below it: it may be long. */
function verdict(word: string, fill: string): Html {
  const x = MARGIN + SHAPE + 40;
  const [first = '', ...limits] = word.split(', ');
  if (limits.length === 0) return line(first, { x, y: 284, size: 160, face: 'bold', fill });
  const below = limits.join(', ');
  return html`${line(first, { x, y: 238, size: 128, face: 'bold', fill })}${line(below, { x: x + 4, y: 312, size: 44, fill })}`;
}

function factsOf({ quoted, claim, claimedBy, checkedAt, kind, id }: ReceiptView): readonly Fact[] {
  return [
    { name: 'Asks', value: shownPrice(quoted) },
    { name: claimedBy === 'Listed' ? 'Listed' : 'Expected', value: shownPrice(claim.price) },
    { name: CHECKED[kind], value: shownMinute(checkedAt) },
    { name: 'Receipt', value: id, face: 'mono' },
  ];
}
