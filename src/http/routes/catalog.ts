import { taskNames } from '../../core/catalog/task-index.ts';
import { memoizeFor } from '../../core/concurrency/memoize-for.ts';
import { LOOKUP_RECEIPTS, LOOKUP_SERVICES } from '../../core/limits.ts';
import { type Catalog, lookUpServices } from '../../flows/lookup/look-up-services.ts';
import { readService } from '../../flows/lookup/read-service.ts';
import { searchCatalog } from '../../flows/lookup/search-catalog.ts';
import { catalogPage } from '../../pages/catalog/catalog-page.ts';
import { servicePage } from '../../pages/catalog/service-page.ts';
import { taskPage } from '../../pages/catalog/task-page.ts';
import type { Clock } from '../../ports/clock.ts';
import { readServicesRequest } from '../../wire/requests/services-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { serviceJson } from '../../wire/responses/service-response.ts';
import { servicesJson } from '../../wire/responses/services-response.ts';
import type { Routes } from '../app.ts';
import {
  answerBadRequest,
  answerProblem,
  answerRendered,
  type Handler,
  type Rendered,
  rendered,
  renderedJson,
} from '../exchange/answer.ts';
import { HTML_HEADERS, HTML_TYPE } from '../exchange/html-headers.ts';
import { prefersHtml } from '../exchange/prefers-html.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';
import { unlessStoreFails } from './quota-left.ts';

export interface CatalogParts extends Pick<Clock, 'now'> {
  readonly catalog: Catalog;
}

const SHORT = { 'cache-control': 'public, max-age=60' };
const PAGE = { ...HTML_HEADERS, ...SHORT };
/** New paid calls show after at most this long, as in a lookup. */
const FRESH_MS = 1_000;
/** About 500 pages of 15 kB. */
const KEPT_BYTES = 8_000_000;

/** The catalog for programs and people: tasks, and the services of each. */
export function catalogRoutes(parts: CatalogParts): Routes {
  const { index } = parts.catalog;
  const names = taskNames(index);
  // The catalog is read at start-up, so the map from task to service ids is rendered once.
  const tasks = renderedJson(Object.fromEntries(names), SHORT);
  const isGraded = memoizeFor(
    async () => (await parts.catalog.facts.callsOf([...index.byId.keys()], 1)).size > 0,
    FRESH_MS,
    () => parts.now().getTime(),
  );
  return {
    '/v1/tasks': { GET: (exchange) => answerRendered(exchange, tasks) },
    '/v1/services': { GET: servicesRoute(parts) },
    '/v1/services/:id': { GET: serviceRoute(parts) },
    '/catalog': {
      async GET(exchange) {
        const page = await catalogPage(names, exchange.links, await unlessStoreFails(isGraded));
        return answerRendered(exchange, rendered(page, HTML_TYPE, PAGE));
      },
    },
    '/catalog/:id': { GET: taskRoute(parts, names) },
  };
}

/** GET /v1/services: browsing, free and without a ranking (gap G90). */
function servicesRoute({ catalog }: CatalogParts): Handler {
  return async (exchange) => {
    const reading = readServicesRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const found = await searchCatalog(reading.value, catalog);
    return answerRendered(exchange, renderedJson(servicesJson(found), SHORT));
  };
}

/** GET /v1/services/{id}: JSON for programs, a page for callers that prefer one. */
function serviceRoute({ catalog, now }: CatalogParts): Handler {
  const kept = createRenderedCache<Rendered | null>({
    maxBytes: KEPT_BYTES,
    fresh: { forMs: FRESH_MS, now },
  });
  return async (exchange, id) => {
    const { links } = exchange;
    const form = prefersHtml(exchange.header('accept')) ? 'html' : 'json';
    const service = await kept([links.base, form, id].join(' '), async () => {
      const found = await readService(id, catalog, now());
      return found === null ? null : renderService(serviceJson(found, links), form);
    });
    if (service !== null) return answerRendered(exchange, service);
    const detail = 'Unknown service id; /v1/tasks lists all ids.';
    return answerProblem(exchange, { code: 'not_found', detail });
  };
}

async function renderService(
  service: ReturnType<typeof serviceJson>,
  form: 'json' | 'html',
): Promise<Rendered> {
  const vary = { vary: 'Accept' };
  if (form === 'json') return renderedJson(service, { ...SHORT, ...vary });
  return rendered(await servicePage(service), HTML_TYPE, { ...PAGE, ...vary });
}

/** GET /catalog/{task}: the services of a task in the order of a lookup (gap L43). */
function taskRoute({ catalog, now }: CatalogParts, names: ReadonlyMap<string, unknown>): Handler {
  const kept = createRenderedCache<Rendered>({ maxBytes: KEPT_BYTES, fresh: { forMs: FRESH_MS, now } });
  return async (exchange, task) => {
    if (!names.has(task)) {
      const detail = 'Unknown task; /catalog lists all.';
      return answerProblem(exchange, { code: 'not_found', detail });
    }
    const { links } = exchange;
    const page = await kept(`${links.base} ${task}`, () => renderTask(task, links, now(), catalog));
    return answerRendered(exchange, page);
  };
}

async function renderTask(task: string, links: Links, now: Date, catalog: Catalog): Promise<Rendered> {
  const n = LOOKUP_RECEIPTS.default;
  const query = { task, endpoint: null, maxPrice: null, n, limit: LOOKUP_SERVICES.max };
  const found = await lookUpServices(query, catalog, now);
  return rendered(await taskPage({ task, found, links, now }), HTML_TYPE, PAGE);
}
