import { html } from 'hono/html';
import type { ServiceVerdict } from '../../core/catalog/service-verdict.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { SERVICE_TONES, wordSentence } from '../catalog/service-word.ts';
import { CARD_WIDTH, card, type Fact, line, MARGIN, sentences, shape, TONES } from './card-frame.ts';
import { shownHost } from './shown-host.ts';

export interface ServiceCardParts {
  readonly service: ServiceJson;
  readonly verdict: ServiceVerdict;
  readonly links: Pick<Links, 'base'>;
}

const SHAPE = 130;

/** The picture of a service of the catalog: the word of our own paid calls, as on its page. */
export function serviceCard({ service, verdict, links }: ServiceCardParts): Promise<string> {
  const tone = SERVICE_TONES[verdict.word];
  const [word = '', numbers] = wordSentence(verdict).split(': ');
  const x = MARGIN + SHAPE + 36;
  const said = {
    x,
    y: 236,
    size: 110,
    face: 'bold',
    fill: TONES[tone].strong,
    width: CARD_WIDTH - MARGIN - x,
  } as const;
  const below = numbers === undefined ? NO_CALLS : `${numbers.slice(0, 1).toUpperCase()}${numbers.slice(1)}.`;
  return card({
    tone,
    aside: shownHost(links.base),
    body: html`${shape(tone, MARGIN, 136, SHAPE)}${line(word, said)}${line(service.id, { x: MARGIN, y: 344, size: 56, face: 'bold' })}${line(shownHost(service.endpoint), { x: MARGIN, y: 394, size: 34 })}${sentences([below], { y: 450, size: 32 })}`,
    facts: factsOf(service),
  });
}

const NO_CALLS = 'We call a service with our own money and compare the answer with a known one.';

function factsOf({ price_usd, last_check, newest_receipt_at }: ServiceJson): readonly Fact[] {
  const asked = last_check?.quoted_price_usd ?? null;
  return [
    { name: 'Listed price', value: `$${price_usd}` },
    { name: 'Asks', value: asked === null ? 'no price' : `$${asked}` },
    { name: 'Last paid call', value: newest_receipt_at?.slice(0, 10) ?? 'none' },
    { name: 'Last unpaid check', value: last_check?.checked_at.slice(0, 10) ?? 'none' },
  ];
}
