import type { Catalog } from '../flows/lookup/look-up-services.ts';
import { searchCatalog } from '../flows/lookup/search-catalog.ts';
import { readServicesRequest } from '../wire/requests/services-request.ts';
import { servicesJson } from '../wire/responses/services-response.ts';
import { answerBadRequest, answerRendered, renderedJson } from './answer.ts';
import type { Handler } from './exchange/exchange.ts';

const HEADERS = { 'cache-control': 'public, max-age=60' };

/** GET /v1/services: browsing, free and without a ranking (gap G90). */
export function servicesListRoute(catalog: Catalog): Handler {
  return async (exchange) => {
    const reading = readServicesRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const found = await searchCatalog(reading.value, catalog);
    return answerRendered(exchange, renderedJson(servicesJson(found), HEADERS));
  };
}
