import type { Catalog } from '../flows/lookup/look-up-services.ts';
import { readService } from '../flows/lookup/read-service.ts';
import { servicePage } from '../pages/catalog/service-page.ts';
import type { Links } from '../wire/responses/links.ts';
import { serviceJson } from '../wire/responses/service-response.ts';
import { answerProblem, answerRendered, type Rendered, rendered, renderedJson } from './answer.ts';
import { boundedCache } from './bounded-cache.ts';
import type { Handler } from './exchange/exchange.ts';
import { HTML_HEADERS, HTML_TYPE } from './exchange/html-headers.ts';
import { prefersHtml } from './exchange/prefers-html.ts';

export interface ServiceRouteParts {
  readonly catalog: Catalog;
  readonly now: () => Date;
}

/** New paid calls show after at most this long, as in a lookup. */
const FRESH_MS = 1_000;
/** At about 15 kB each. */
const KEPT = 500;
const HEADERS = { 'cache-control': 'public, max-age=60', vary: 'Accept' };

type Form = 'json' | 'html';

/** GET /v1/services/{id}: JSON for programs, a page for whoever would rather have one. */
export function servicesRoute({ catalog, now }: ServiceRouteParts): Handler {
  const kept = boundedCache<{ readonly fresh: Promise<Rendered | null>; readonly until: number }>(KEPT);
  const renderedOf = (id: string, form: Form, links: Links): Promise<Rendered | null> => {
    const key = [links.base, form, id].join(' ');
    const at = now();
    const known = kept.get(key);
    if (known !== undefined && at.getTime() < known.until) return known.fresh;
    const fresh = readService(id, catalog, at).then((found) =>
      found === null ? null : render(serviceJson(found, links), form),
    );
    kept.set(key, { fresh, until: at.getTime() + FRESH_MS });
    fresh.catch(() => kept.set(key, { fresh, until: 0 }));
    return fresh;
  };
  return async (exchange, id) => {
    const form = prefersHtml(exchange.header('accept')) ? 'html' : 'json';
    // What is not in the catalog must not push out what is.
    const found = catalog.index.byId.has(id) ? await renderedOf(id, form, exchange.links) : null;
    if (found !== null) return answerRendered(exchange, found);
    const detail = 'No service has this id; /v1/tasks lists the ids of all.';
    return answerProblem(exchange, { code: 'not_found', detail });
  };
}

async function render(service: ReturnType<typeof serviceJson>, form: Form): Promise<Rendered> {
  if (form === 'json') return renderedJson(service, HEADERS);
  return rendered(await servicePage(service), HTML_TYPE, { ...HTML_HEADERS, ...HEADERS });
}
