import { taskNames } from '../core/catalog/task-index.ts';
import { LOOKUP_RECEIPTS, LOOKUP_SERVICES } from '../core/limits.ts';
import { type Catalog, lookUpServices } from '../flows/lookup/look-up-services.ts';
import { catalogPage } from '../pages/catalog/catalog-page.ts';
import { taskPage } from '../pages/catalog/task-page.ts';
import type { Links } from '../wire/responses/links.ts';
import { answerProblem, answerRendered, type Rendered, rendered } from './answer.ts';
import { boundedCache } from './bounded-cache.ts';
import type { Handler } from './exchange/exchange.ts';
import { HTML_HEADERS, HTML_TYPE } from './exchange/html-headers.ts';

export interface CatalogParts {
  readonly catalog: Catalog;
  readonly now: () => Date;
}

const HEADERS = { ...HTML_HEADERS, 'cache-control': 'public, max-age=60' };
/** New paid calls show after at most this long, as in a lookup. */
const FRESH_MS = 1_000;
const KEPT = 200;

/** GET /catalog and /catalog/{task}: tasks, and the services of one in the order of a lookup (gap L43). */
export function catalogRoutes({ catalog, now }: CatalogParts): {
  readonly tasks: Handler;
  readonly task: Handler;
} {
  const names = taskNames(catalog.index);
  const kept = boundedCache<{ readonly page: Promise<Rendered>; readonly until: number }>(KEPT);
  const pageOf = (task: string, links: Links): Promise<Rendered> => {
    const key = `${links.base} ${task}`;
    const at = now();
    const known = kept.get(key);
    if (known !== undefined && at.getTime() < known.until) return known.page;
    const page = renderTask(task, links, at, catalog);
    kept.set(key, { page, until: at.getTime() + FRESH_MS });
    page.catch(() => kept.set(key, { page, until: 0 }));
    return page;
  };
  return {
    tasks: async (exchange) => {
      const page = await catalogPage(names, exchange.links);
      return answerRendered(exchange, rendered(page, HTML_TYPE, HEADERS));
    },
    task: async (exchange, task) => {
      // Only names of the catalog: what anybody makes up must not push out what there is.
      if (names.has(task)) return answerRendered(exchange, await pageOf(task, exchange.links));
      return answerProblem(exchange, {
        code: 'not_found',
        detail: 'No task has this name; /catalog lists all.',
      });
    },
  };
}

async function renderTask(task: string, links: Links, now: Date, catalog: Catalog): Promise<Rendered> {
  const n = LOOKUP_RECEIPTS.default;
  const query = { task, endpoint: null, maxPrice: null, n, limit: LOOKUP_SERVICES.max };
  const found = await lookUpServices(query, catalog, now);
  return rendered(await taskPage({ task, found, links, now }), HTML_TYPE, HEADERS);
}
