import { browseRanking, type CatalogView, WHOLE_CATALOG } from '../../core/catalog/browse-ranking.ts';
import { serviceVerdict } from '../../core/catalog/service-verdict.ts';
import { taskNames } from '../../core/catalog/task-index.ts';
import { CATALOG_PAGE } from '../../core/limits.ts';
import type { Catalog } from '../../flows/lookup/look-up-services.ts';
import type { RankCatalog } from '../../flows/lookup/rank-catalog.ts';
import { type AskedPricePorts, readAskedPrices } from '../../flows/lookup/read-asked-prices.ts';
import { type KnownService, readService } from '../../flows/lookup/read-service.ts';
import { searchCatalog } from '../../flows/lookup/search-catalog.ts';
import { catalogPage } from '../../pages/catalog/catalog-page.ts';
import { servicePage } from '../../pages/catalog/service-page.ts';
import type { Clock } from '../../ports/clock.ts';
import { catalogViewPath, readCatalogRequest } from '../../wire/requests/catalog-request.ts';
import { readServicesRequest } from '../../wire/requests/services-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { serviceJson } from '../../wire/responses/service-response.ts';
import { servicesJson } from '../../wire/responses/services-response.ts';
import type { Routes } from '../app.ts';
import {
  type Answer,
  answerBadRequest,
  answerProblem,
  answerRendered,
  type Handler,
  type Rendered,
  rendered,
  renderedJson,
} from '../exchange/answer.ts';
import { FOR_A_MINUTE } from '../exchange/caching.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { HTML_HEADERS, HTML_TYPE, SCRIPTED_HTML_HEADERS } from '../exchange/html-headers.ts';
import { prefersHtml } from '../exchange/prefers-html.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';

export interface CatalogParts extends Pick<Clock, 'now'> {
  readonly catalog: Catalog;
  readonly rankCatalog: RankCatalog;
  /** The crawls of a URL, for the prices that they saw. */
  readonly receipts: AskedPricePorts;
}

const PAGE = { ...HTML_HEADERS, ...FOR_A_MINUTE };
/** New paid calls show after at most this long, as in a lookup. */
const FRESH_MS = 1_000;
/** About 400 pages of 20 kB, or a dozen of 500 services. */
const KEPT_BYTES = 8_000_000;

/** The catalog for programs and people: tasks, and the services of each. */
export function catalogRoutes(parts: CatalogParts): Routes {
  const names = taskNames(parts.catalog.index);
  // The catalog is read at start-up, so the map from task to service ids is rendered once.
  const tasks = renderedJson(Object.fromEntries(names), FOR_A_MINUTE);
  const show = createShowCatalog(parts, names);
  return {
    '/v1/tasks': { GET: (exchange) => answerRendered(exchange, tasks) },
    '/v1/services': { GET: servicesRoute(parts) },
    '/v1/services/:id': { GET: serviceRoute(parts) },
    '/catalog': { GET: (exchange) => show(exchange, null) },
    '/catalog/:id': {
      GET: (exchange, task) => {
        if (names.has(task)) return show(exchange, task);
        const detail = 'Unknown task; /catalog lists all.';
        return answerProblem(exchange, { code: 'not_found', detail });
      },
    },
  };
}

/** GET /v1/services: browsing, free and without a ranking (gap G90). */
function servicesRoute({ catalog }: CatalogParts): Handler {
  return async (exchange) => {
    const reading = readServicesRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const found = await searchCatalog(reading.value, catalog);
    return answerRendered(exchange, renderedJson(servicesJson(found), FOR_A_MINUTE));
  };
}

/** GET /v1/services/{id}: JSON for programs, a page for callers that prefer one. */
function serviceRoute({ catalog, receipts, now }: CatalogParts): Handler {
  const kept = createRenderedCache<Rendered | null>({
    maxBytes: KEPT_BYTES,
    fresh: { forMs: FRESH_MS, now },
  });
  return async (exchange, id) => {
    const { links } = exchange;
    const form = prefersHtml(exchange.header('accept')) ? 'html' : 'json';
    const service = await kept([links.base, form, id].join(' '), async () => {
      const found = await readService(id, catalog, now());
      if (found === null) return null;
      return form === 'json' ? renderJson(found, links) : renderPage(found, links, receipts);
    });
    if (service !== null) return answerRendered(exchange, service);
    const detail = 'Unknown service id; /v1/tasks lists all ids.';
    return answerProblem(exchange, { code: 'not_found', detail });
  };
}

const VARY = { vary: 'Accept' };

function renderJson(known: KnownService, links: Links): Rendered {
  return renderedJson(serviceJson(known, links), { ...FOR_A_MINUTE, ...VARY });
}

async function renderPage(known: KnownService, links: Links, ports: AskedPricePorts): Promise<Rendered> {
  const prices = await readAskedPrices(known, ports);
  const verdict = serviceVerdict(known.facts.calls);
  const page = await servicePage({ service: serviceJson(known, links), verdict, prices, links });
  return rendered(page, HTML_TYPE, { ...SCRIPTED_HTML_HEADERS, ...FOR_A_MINUTE, ...VARY });
}

type ShowCatalog = (exchange: Exchange, pathTask: string | null) => Promise<Answer>;

/** GET /catalog and /catalog/{task}: free, in the order of a lookup unless the reader wants another (gap L43). */
function createShowCatalog(
  { rankCatalog, now }: CatalogParts,
  names: ReadonlyMap<string, readonly string[]>,
): ShowCatalog {
  const fresh = { forMs: FRESH_MS, now };
  const pages = createRenderedCache<Rendered>({ maxBytes: KEPT_BYTES, fresh });
  // Separate: a caller that tries many filters must not evict the common pages.
  const filtered = createRenderedCache<Rendered>({ maxBytes: KEPT_BYTES, fresh });
  const render = async (view: CatalogView, links: Links, isPlain: boolean) => {
    const { at, ...ranking } = await rankCatalog();
    const found = browseRanking(ranking, view, CATALOG_PAGE.services);
    const page = await catalogPage({ view, found, tasks: names, links, now: at });
    return rendered(page, HTML_TYPE, isPlain ? PAGE : { ...PAGE, 'x-robots-tag': 'noindex' });
  };
  return async (exchange, pathTask) => {
    const reading = readCatalogRequest(exchange.query, names, pathTask);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { links } = exchange;
    const path = catalogViewPath(reading.value);
    const isPlain = path === catalogViewPath({ ...WHOLE_CATALOG, task: pathTask });
    const kept = isPlain ? pages : filtered;
    const page = await kept([links.base, path].join(' '), () => render(reading.value, links, isPlain));
    return answerRendered(exchange, page);
  };
}
