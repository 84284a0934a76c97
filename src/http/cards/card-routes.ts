import { serviceVerdict } from '../../core/catalog/service-verdict.ts';
import type { Catalog } from '../../flows/lookup/look-up-services.ts';
import { readService } from '../../flows/lookup/read-service.ts';
import { serviceCard } from '../../pages/cards/service-card.ts';
import { skipsCard } from '../../pages/cards/skips-card.ts';
import { readAsset } from '../../pages/frame/read-asset.ts';
import type { Clock } from '../../ports/clock.ts';
import { serviceJson } from '../../wire/responses/service-response.ts';
import type { Routes } from '../app.ts';
import { answerProblem, answerRendered, type Handler } from '../exchange/answer.ts';
import { FOR_A_MINUTE, FOR_AN_HOUR } from '../exchange/caching.ts';
import type { CrawlPages } from '../routes/crawl-pages.ts';
import { type AnswerCard, pngOf } from './answer-card.ts';

export interface CardRouteParts extends Pick<Clock, 'now'> {
  readonly answerCard: AnswerCard;
  readonly latestRun: CrawlPages['latest'];
  readonly catalog: Catalog;
}

const SERVICE = /^service-(.{1,64})\.png$/;

/** The pictures of link previews; a receipt has its own beside it, as {id}.png. */
export function cardRoutes(parts: CardRouteParts): Routes {
  const site = pngOf(readAsset('card.png'), FOR_AN_HOUR);
  const named: Readonly<Record<string, Handler>> = {
    'site.png': (exchange) => answerRendered(exchange, site),
    'skips.png': async (exchange) =>
      parts.answerCard(
        exchange,
        await skipsCard(await parts.latestRun(), exchange.links),
        () => FOR_A_MINUTE,
      ),
  };
  // One pattern for all: the router does not support a fixed path beside a variable one.
  const GET: Handler = (exchange, name) =>
    Object.hasOwn(named, name)
      ? (named[name]?.(exchange, name) ?? missing(exchange, name))
      : service(exchange, name);
  const service: Handler = async (exchange, name) => {
    const id = SERVICE.exec(name)?.[1];
    const found = id === undefined ? null : await readService(id, parts.catalog, parts.now());
    if (found === null) return missing(exchange, name);
    const { links } = exchange;
    return parts.answerCard(
      exchange,
      await serviceCard({
        service: serviceJson(found, links),
        verdict: serviceVerdict(found.facts.calls),
        links,
      }),
      () => FOR_A_MINUTE,
    );
  };
  return { '/cards/:id': { GET } };
}

const missing: Handler = (exchange) =>
  answerProblem(exchange, { code: 'not_found', detail: 'There is no card of this name.' });
