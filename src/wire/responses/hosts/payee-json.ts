import * as z from 'zod';
import { PART_PAGE } from '../../../core/limits.ts';
import type { PayeeView } from '../../../flows/read/hosts/read-payee.ts';
import type { Links } from '../links.ts';
import { moment } from '../shapes.ts';
import {
  crawledEndpoint,
  crawledEndpointJson,
  notListed,
  notListedShape,
  partService,
  partServiceJson,
  runCount,
  runCountJson,
} from './part-shapes.ts';

/** /v1/payees/{address} */
export const payeeResponse = z.object({
  address: z.string().describe('The address as receipts spell it, else as it was asked for.'),
  crawled_at: moment
    .nullable()
    .describe('Time of the latest crawl, UTC; null until the first one is published.'),
  latest: runCount
    .nullable()
    .describe('Counts of the latest crawl; null if nothing in it asks to pay this address.'),
  endpoints: z
    .array(crawledEndpoint)
    .describe(
      `Endpoints of the latest crawl that ask to pay this address, in the order of their URLs, at most ${PART_PAGE.endpoints}.`,
    ),
  endpoints_not_listed: notListedShape,
  hosts: z
    .array(
      z.object({
        host: z.string().describe('Host name without port, or an address.'),
        endpoints: z.int().nonnegative().describe('Endpoints there that ask to pay this address.'),
        details: z.string().describe('URL with what is known about the host.'),
      }),
    )
    .describe(`Hosts of these endpoints, the most frequent first, at most ${PART_PAGE.shares}.`),
  replaced: z
    .array(crawledEndpoint)
    .describe(
      `Endpoints that are listed with this payee while their live 402 asks to pay another one, at most ${PART_PAGE.shares}.`,
    ),
  replaced_total: z.int().nonnegative().describe('How many of these there are.'),
  history: z
    .array(runCount)
    .describe(`The last ${PART_PAGE.runs} crawls, newest first; crawls of old releases are left out.`),
  services: z
    .array(partService)
    .describe(`Services of the catalog that are listed with this payee, at most ${PART_PAGE.services}.`),
  page: z.string().describe('URL of the same as a page for people.'),
});

export type PayeeJson = z.infer<typeof payeeResponse>;

export function payeeJson(view: PayeeView, links: Links): PayeeJson {
  const { address, run, count, endpoints, hosts, replaced, history, services } = view;
  return {
    address,
    crawled_at: run?.crawledAt.toISOString() ?? null,
    latest: count === null ? null : runCountJson(count),
    endpoints: endpoints.map((receipt) => crawledEndpointJson(receipt, links)),
    endpoints_not_listed: notListed(count),
    hosts: hosts.map(({ name, endpoints: paying }) => ({
      host: name,
      endpoints: paying,
      details: `${links.base}/v1/hosts/${encodeURIComponent(name)}`,
    })),
    replaced: replaced.map((receipt) => crawledEndpointJson(receipt, links)),
    replaced_total: view.replacedCount,
    history: history.map(runCountJson),
    services: services.map((facts) => partServiceJson(facts, links)),
    page: `${links.base}/payees/${encodeURIComponent(address)}`,
  };
}
