import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import { hostInPath } from '../../../core/url/host-in-path.ts';
import { addressKey } from '../../../core/x402/address.ts';
import type { Catalog } from '../../../flows/lookup/look-up-services.ts';
import { indexParts } from '../../../flows/read/hosts/part-services.ts';
import { type PartPorts, readHost } from '../../../flows/read/hosts/read-host.ts';
import { readPayee } from '../../../flows/read/hosts/read-payee.ts';
import type { NotePorts } from '../../../flows/seller/seller-notes.ts';
import { hostPage } from '../../../pages/hosts/host-page.ts';
import { payeePage } from '../../../pages/hosts/payee-page.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { PublishedRuns } from '../../../ports/crawl-runs.ts';
import { hostJson } from '../../../wire/responses/hosts/host-json.ts';
import { payeeJson } from '../../../wire/responses/hosts/payee-json.ts';
import type { Links } from '../../../wire/responses/links.ts';
import type { Routes } from '../../app.ts';
import {
  answerProblem,
  answerRendered,
  type Handler,
  type Rendered,
  rendered,
  renderedJson,
} from '../../exchange/answer.ts';
import { FOR_A_MINUTE } from '../../exchange/caching.ts';
import { HTML_TYPE, SCRIPTED_HTML_HEADERS } from '../../exchange/html-headers.ts';
import { prefersJson } from '../../exchange/prefers-html.ts';
import { createRenderedCache, type RenderedCache } from '../../exchange/rendered-cache.ts';
import { createSellerRevision } from '../../exchange/seller-revision.ts';

export interface HostRouteParts extends Pick<Clock, 'now'> {
  readonly runs: PublishedRuns;
  readonly catalog: Catalog;
  readonly notes: Pick<NotePorts, 'sellers' | 'policy'>;
  readonly corrections: PartPorts['corrections'];
  readonly latestRun: () => Promise<CrawlRun | null>;
}

type Form = 'html' | 'json';

/** What is looked for by the variable segment of a path. */
interface Kind {
  readonly name: string;
  /** The one spelling of what a segment names; null for what is no such name. */
  keyOf(segment: string): string | null;
  render(
    segment: string,
    run: CrawlRun | null,
    ports: PartPorts,
    form: Form,
    links: Links,
  ): Promise<Rendered | null>;
  readonly badName: string;
  readonly unknown: string;
}

/** Hosts and payees, for people and programs. */
export function hostRoutes(parts: HostRouteParts): Routes {
  const { runs, catalog, notes, corrections, now } = parts;
  const ports: PartPorts = {
    runs,
    services: indexParts(catalog.index),
    facts: catalog.facts,
    corrections,
    optOuts: notes.policy.optOuts,
    now,
  };
  const revision = createSellerRevision(notes.sellers, now);
  const kept = createRenderedCache<Rendered | null>({
    maxBytes: KEPT_BYTES,
    fresh: { forMs: FRESH_MS, now },
  });
  const route = (kind: Kind, formOf: (accept: string | null) => Form) =>
    routeOf({ kind, formOf, ports, revision, kept, latestRun: parts.latestRun });
  const byAccept = (accept: string | null) => (prefersJson(accept) ? 'json' : 'html');
  return {
    '/hosts/:id': { GET: route(HOST, byAccept) },
    '/payees/:id': { GET: route(PAYEE, byAccept) },
    '/v1/hosts/:id': { GET: route(HOST, () => 'json') },
    '/v1/payees/:id': { GET: route(PAYEE, () => 'json') },
  };
}

/** New paid calls show after at most this long. */
const FRESH_MS = 60_000;
/** About 200 pages of 80 kB. */
const KEPT_BYTES = 16_000_000;
const CACHING = { ...FOR_A_MINUTE, vary: 'Accept' };

const HOST: Kind = {
  name: 'host',
  keyOf: hostInPath,
  async render(segment, run, ports, form, links) {
    const view = await readHost(segment, run, ports);
    if (view === null) return null;
    return form === 'json' ? renderedJson(hostJson(view, links), CACHING) : page(await hostPage(view, links));
  },
  badName: 'A host is a lower-case ASCII name or an address, without port, such as api.example.com.',
  unknown:
    'No published crawl and no service of the catalog has this host. Checks that somebody asked for are not listed here.',
};

const PAYEE: Kind = {
  name: 'payee',
  keyOf: addressKey,
  async render(segment, run, ports, form, links) {
    const view = await readPayee(segment, run, ports);
    if (view === null) return null;
    return form === 'json'
      ? renderedJson(payeeJson(view, links), CACHING)
      : page(await payeePage(view, links));
  },
  badName: 'A payee is 0x and 40 hex digits, or a Solana address.',
  unknown:
    'No published crawl and no service of the catalog has this payee. Checks that somebody asked for are not listed here.',
};

function page(content: string): Rendered {
  return rendered(content, HTML_TYPE, { ...SCRIPTED_HTML_HEADERS, ...CACHING });
}

interface RouteParts extends Pick<HostRouteParts, 'latestRun'> {
  readonly kind: Kind;
  readonly formOf: (accept: string | null) => Form;
  readonly ports: PartPorts;
  readonly revision: () => Promise<string | null>;
  readonly kept: RenderedCache<Rendered | null>;
}

/** Rendered once per published run, public address and revision of what was withdrawn. */
function routeOf({ kind, formOf, ports, revision, kept, latestRun }: RouteParts): Handler {
  const { name, keyOf, badName, unknown } = kind;
  return async (exchange, segment) => {
    const found = keyOf(segment);
    if (found === null) return answerProblem(exchange, { code: 'not_found', detail: badName });
    const { links } = exchange;
    const form = formOf(exchange.header('accept'));
    const run = await latestRun();
    const key = [run?.id ?? '', await revision(), links.base, form, name, found].join(' ');
    const body = await kept(key, () => kind.render(found, run, ports, form, links));
    return body === null
      ? answerProblem(exchange, { code: 'not_found', detail: unknown })
      : answerRendered(exchange, body);
  };
}
