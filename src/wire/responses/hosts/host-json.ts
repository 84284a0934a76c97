import * as z from 'zod';
import { PART_PAGE } from '../../../core/limits.ts';
import { formatUsd } from '../../../core/money/micro-usd.ts';
import type { EndpointChange } from '../../../flows/read/hosts/endpoint-changes.ts';
import type { HostView } from '../../../flows/read/hosts/read-host.ts';
import type { Links } from '../links.ts';
import { closedList, moment } from '../shapes.ts';
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

/** A price or a payee that differs from the one of an earlier crawl. */
export const endpointChange = z.object({
  url: z.string().describe('Listed endpoint URL.'),
  what: closedList('What has changed.', {
    price: 'the price in the live 402',
    payee: 'the payee in the live 402',
  }),
  before: z.string().describe('The value before: a price in USD as a decimal string, or an address.'),
  after: z.string().describe('The value since, in the same form.'),
  timestamp: moment.describe('Time of the first check that found it, UTC.'),
  receipt: z.string().describe('URL of the receipt of that check.'),
});

/** /v1/hosts/{host} */
export const hostResponse = z.object({
  host: z.string().describe('Host name without port, or an address; IPv6 in brackets.'),
  opted_out: z
    .boolean()
    .describe('True if the operator of the host wants no checks; then there is nothing else about it here.'),
  crawled_at: moment
    .nullable()
    .describe('Time of the latest crawl, UTC; null until the first one is published.'),
  latest: runCount.nullable().describe('Counts of the latest crawl; null if it has nothing at the host.'),
  endpoints: z
    .array(crawledEndpoint)
    .describe(`Endpoints of the latest crawl in the order of their URLs, at most ${PART_PAGE.endpoints}.`),
  endpoints_not_listed: notListedShape,
  payees: z
    .array(
      z.object({
        address: z.string().describe('Payee in the live 402.'),
        endpoints: z.int().nonnegative().describe('Endpoints that ask to pay it.'),
        payee: z.string().describe('URL with what is known about the payee.'),
      }),
    )
    .describe(`Payees of the endpoints, the most frequent first, at most ${PART_PAGE.shares}.`),
  changes: z
    .array(endpointChange)
    .describe(
      `Changes of the first ${PART_PAGE.followed} endpoints over their last ${PART_PAGE.runs} crawls, newest first.`,
    ),
  history: z
    .array(runCount)
    .describe(`The last ${PART_PAGE.runs} crawls, newest first; crawls of old releases are left out.`),
  services: z
    .array(partService)
    .describe(`Services of the catalog at the host, at most ${PART_PAGE.services}.`),
  skips: z.string().describe('URL of all skips at the host.'),
  page: z.string().describe('URL of the same as a page for people.'),
});

export type HostJson = z.infer<typeof hostResponse>;

export function hostJson(view: HostView, links: Links): HostJson {
  const { host, run, count, endpoints, payees, changes, history, services } = view;
  return {
    host,
    opted_out: view.isOptedOut,
    crawled_at: run?.crawledAt.toISOString() ?? null,
    latest: count === null ? null : runCountJson(count),
    endpoints: endpoints.map((receipt) => crawledEndpointJson(receipt, links)),
    endpoints_not_listed: notListed(count),
    payees: payees.map(({ name, endpoints: paying }) => ({
      address: name,
      endpoints: paying,
      payee: `${links.base}/v1/payees/${encodeURIComponent(name)}`,
    })),
    changes: changes.map((change) => changeJson(change, links)),
    history: history.map(runCountJson),
    services: services.map((facts) => partServiceJson(facts, links)),
    skips: `${links.skipsJson}?host=${encodeURIComponent(host)}`,
    page: `${links.base}/hosts/${encodeURIComponent(host)}`,
  };
}

function changeJson(change: EndpointChange, links: Links): z.infer<typeof endpointChange> {
  const { what, receipt } = change;
  const values =
    what === 'price'
      ? { before: formatUsd(change.before), after: formatUsd(change.after) }
      : { before: change.before, after: change.after };
  return {
    url: receipt.url,
    what,
    ...values,
    timestamp: receipt.checkedAt.toISOString(),
    receipt: links.receipt(receipt.id),
  };
}
