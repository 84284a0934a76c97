import type { Check } from './check.ts';

/** What stands around the terms: browsers, other methods, caches, and the documents of the origin. */
export const SURROUNDINGS_CHECKS = {
  cors_origin: {
    level: 'warning',
    needs: 'browser',
    problem: 'The 402 has no single Access-Control-Allow-Origin for a page: browsers hide the response.',
    fix: 'Send Access-Control-Allow-Origin: * once on the 402, too, not only on paid answers.',
  },
  cors_expose: {
    level: 'warning',
    needs: 'browser',
    problem:
      'Access-Control-Expose-Headers lacks PAYMENT-REQUIRED or PAYMENT-RESPONSE: pages cannot read them.',
    fix: 'Send Access-Control-Expose-Headers: PAYMENT-REQUIRED, PAYMENT-RESPONSE.',
  },
  browser_status: {
    level: 'warning',
    needs: 'browser',
    problem: 'A request with an Origin, as browsers send it, gets no 402.',
    fix: 'Answer such a request like any other.',
  },
  preflight_paywall: {
    level: 'warning',
    needs: 'preflight',
    problem: 'OPTIONS is answered with 402: browsers never send the paid request.',
    fix: 'Put CORS before the payment middleware. A preflight carries no payment.',
  },
  preflight_status: {
    level: 'warning',
    needs: 'preflight',
    problem: 'OPTIONS is not answered with 2xx: browsers never send the paid request.',
    fix: 'Answer OPTIONS with 204 and the CORS fields.',
  },
  preflight_origin: {
    level: 'warning',
    needs: 'preflight',
    problem: 'The answer to OPTIONS has no single Access-Control-Allow-Origin for a page.',
    fix: 'Send Access-Control-Allow-Origin: * with it, once.',
  },
  preflight_headers: {
    level: 'warning',
    needs: 'preflight',
    problem:
      'Access-Control-Allow-Headers of the preflight lacks PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers, or for POST Content-Type, which payers in browsers send.',
    fix: 'Name all of them.',
  },
  head_status: {
    level: 'warning',
    needs: 'head',
    problem: 'HEAD is not answered like GET.',
    fix: 'Answer HEAD with the 402 of GET, or with 405. Some lists probe with HEAD.',
  },
  cache_storable: {
    level: 'warning',
    needs: 'headers',
    problem:
      'Cache-Control lets shared caches store the 402: a buyer could get old terms, or those of somebody else.',
    fix: 'Send Cache-Control: no-store with the 402.',
  },
  cache_unset: {
    level: 'note',
    needs: 'headers',
    problem: 'The 402 has no Cache-Control.',
    fix: 'Send Cache-Control: no-store, so that no cache has to guess.',
  },
  redirect: {
    level: 'warning',
    needs: 'browser',
    problem: 'The URL redirects. A payer sends its payment to where the URL leads, or drops it.',
    fix: 'Publish the final URL.',
  },
  plain_http: {
    level: 'warning',
    needs: 'url',
    problem: 'The URL is http: terms can be changed on the way, and payments be read.',
    fix: 'Serve it by https.',
  },
  no_answer: {
    level: 'warning',
    needs: 'looks',
    problem: 'One of the requests had no readable answer within five seconds.',
    fix: 'Answer OPTIONS, HEAD and the documents of the origin, if only with 404 or 405.',
  },
  openapi_missing: {
    level: 'note',
    needs: 'openapi',
    problem: 'The origin has no /openapi.json: lists such as x402scan find routes and prices there.',
    fix: 'Serve an OpenAPI document with x-payment-info on paid operations.',
  },
  openapi_unreadable: {
    level: 'warning',
    needs: 'openapi',
    problem: '/openapi.json is no JSON object with paths, or larger than a megabyte.',
    fix: 'Serve one JSON document that lists the paths.',
  },
  openapi_route: {
    level: 'warning',
    needs: 'openapi',
    problem: '/openapi.json does not list this path with this method.',
    fix: 'Add the operation.',
  },
  openapi_payment: {
    level: 'warning',
    needs: 'openapi',
    problem: 'The operation in /openapi.json has no x-payment-info.',
    fix: 'Add x-payment-info with price and protocols.',
  },
  openapi_price: {
    level: 'warning',
    needs: 'openapi',
    problem: 'x-payment-info in /openapi.json names another price, payee or network than the 402.',
    fix: 'Generate both from the same settings.',
  },
  manifest_missing: {
    level: 'note',
    needs: 'well_known',
    problem: 'The origin has no /.well-known/x402.',
    fix: 'Serve one with the URLs of your paid resources, if you want lists to find them.',
  },
  manifest_unreadable: {
    level: 'warning',
    needs: 'well_known',
    problem: '/.well-known/x402 is no JSON object with resources or items, or larger than a megabyte.',
    fix: 'Serve {"version": 1, "resources": ["https://..."]}.',
  },
  manifest_route: {
    level: 'warning',
    needs: 'well_known',
    problem: '/.well-known/x402 does not name this URL.',
    fix: 'Add it to resources.',
  },
} as const satisfies Readonly<Record<string, Check>>;
