import { createHash } from 'node:crypto';
import type { PaintPicture } from '../../ports/pictures/paint-picture.ts';
import { type Answer, answer, answerRendered, type Headers, NO_STORE, rendered } from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';

/** Answers with the picture that an SVG text describes. How long caches may keep it is asked once it is painted, which may take seconds. */
export type AnswerCard = (exchange: Exchange, svg: string, caching: () => Headers) => Promise<Answer>;

/** The card of the service itself, which needs no painting. */
const SITE_CARD_PATH = '/cards/site.png';
const PNG_TYPE = 'image/png';
/** Any site may embed it. */
const CARD_HEADERS: Headers = { 'cross-origin-resource-policy': 'cross-origin' };
/** About 300 cards of 25 kB. */
const KEPT_BYTES = 8_000_000;

/**
 * Pictures are kept by the text that they are painted from, so that no picture is ever older than its text. When too many wait to
 * be painted, the caller is sent to the card of the service: a preview without the verdict, and no other request waits.
 */
export function createAnswerCard(paint: PaintPicture): AnswerCard {
  const kept = createRenderedCache<ReturnType<typeof pngOf> | null>({ maxBytes: KEPT_BYTES });
  return async (exchange, svg, caching) => {
    const picture = await kept(createHash('sha256').update(svg).digest('base64'), async () => {
      const png = await paint(svg);
      return png === null ? null : pngOf(png);
    });
    if (picture === null) {
      exchange.facts.code = 'overloaded';
      return answer(exchange, 302, null, { ...CARD_HEADERS, ...NO_STORE, location: SITE_CARD_PATH });
    }
    return answerRendered(exchange, { ...picture, headers: { ...picture.headers, ...caching() } });
  };
}

export function pngOf(png: Buffer, headers: Headers = {}) {
  return rendered(png, PNG_TYPE, { ...CARD_HEADERS, ...headers });
}
