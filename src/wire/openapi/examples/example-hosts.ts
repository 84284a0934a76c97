import type { z } from 'zod';
import type { HostJson } from '../../responses/hosts/host-json.ts';
import type { crawledEndpoint, runCount } from '../../responses/hosts/part-shapes.ts';
import type { PayeeJson } from '../../responses/hosts/payee-json.ts';
import type { Links } from '../../responses/links.ts';
import * as value from './example-values.ts';

const HOST = 'data.example.net';

const COUNT: z.infer<typeof runCount> = {
  crawled_at: value.CHECKED_AT,
  endpoints: 1,
  pay: 0,
  skip: 1,
  recheck: 0,
  needs_input: 0,
  complete: true,
};

export function hostExample(links: Links): HostJson {
  const shown = endpoint(links);
  const { url, timestamp, receipt } = shown;
  return {
    host: HOST,
    opted_out: false,
    crawled_at: value.CHECKED_AT,
    latest: COUNT,
    endpoints: [shown],
    endpoints_not_listed: 0,
    payees: [{ address: value.SELLER, endpoints: 1, payee: `${links.base}/v1/payees/${value.SELLER}` }],
    changes: [{ url, what: 'price', before: '0.01', after: '0.05', timestamp, receipt }],
    history: [COUNT],
    services: [],
    skips: `${links.skipsJson}?host=${HOST}`,
    page: `${links.base}/hosts/${HOST}`,
  };
}

export function payeeExample(links: Links): PayeeJson {
  return {
    address: value.SELLER,
    crawled_at: value.CHECKED_AT,
    latest: COUNT,
    endpoints: [endpoint(links)],
    endpoints_not_listed: 0,
    hosts: [{ host: HOST, endpoints: 1, details: `${links.base}/v1/hosts/${HOST}` }],
    replaced: [],
    replaced_total: 0,
    history: [COUNT],
    services: [],
    page: `${links.base}/payees/${value.SELLER}`,
  };
}

function endpoint(links: Links): z.infer<typeof crawledEndpoint> {
  return {
    url: `https://${HOST}/v1/quote`,
    method: 'GET',
    verdict: 'skip',
    code: 'price_mismatch',
    reason: 'price mismatch: listed $0.01, 402 asks $0.05',
    claimed_price_usd: 0.01,
    quoted_price_usd: 0.05,
    listed_pay_to: value.SELLER,
    pay_to: value.SELLER,
    network: value.NETWORK,
    timestamp: value.CHECKED_AT,
    receipt: links.receipt(value.CRAWL_ID),
  };
}
