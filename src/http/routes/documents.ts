import { utcDay } from '../../core/access/utc-window.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { FONTS, readAsset, readStylesheet } from '../../pages/frame/read-asset.ts';
import { llmsText } from '../../pages/texts/llms-text.ts';
import { robotsText } from '../../pages/texts/robots-text.ts';
import { SECURITY_TEXT_PATH, securityText } from '../../pages/texts/security-text.ts';
import { sitemap } from '../../pages/texts/sitemap.ts';
import type { Clock } from '../../ports/clock.ts';
import { API_CATALOG_PATH, API_CATALOG_TYPE, apiCatalog } from '../../wire/openapi/api-catalog.ts';
import { x402Manifest } from '../../wire/payment/x402-manifest.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Routes } from '../app.ts';
import {
  answerRendered,
  type Handler,
  type Headers,
  type Rendered,
  rendered,
  renderedJson,
} from '../exchange/answer.ts';
import { FOR_EVER, FOR_FIVE_MINUTES } from '../exchange/caching.ts';
import { HTML_HEADERS, HTML_TYPE, SCRIPTED_HTML_HEADERS } from '../exchange/html-headers.ts';
import { createRenderedCache, type RenderedCache } from '../exchange/rendered-cache.ts';

export interface DocumentParts extends Pick<Clock, 'now'> {
  /** The wallet that receives; null when nothing can be bought. */
  readonly payTo: string | null;
  /** A mailto: or web address of the operator. */
  readonly contact: string;
  /** All public addresses, the base address first. */
  readonly addresses: readonly string[];
  /** A service of the catalog that can be checked. */
  readonly example: Service | null;
}

/** Documents about the service, for agents and people (gap G84). */
export function documentRoutes(parts: DocumentParts): Routes {
  const kept = createRenderedCache<Rendered>({ maxBytes: KEPT_BYTES });
  const entries = Object.entries(documentsOf(parts)).map(([path, document]) => [
    path,
    { GET: serve(path, document, parts, kept) },
  ]);
  return Object.fromEntries(entries);
}

/** Several times the size of all documents at three addresses. */
const KEPT_BYTES = 8_000_000;

interface Document {
  render(links: Links): Rendered | Promise<Rendered>;
  /** Rendered again when the UTC day changes. */
  readonly daily?: true;
}

function serve(
  path: string,
  { render, daily }: Document,
  { now }: DocumentParts,
  kept: RenderedCache<Rendered>,
): Handler {
  return async (exchange) => {
    const { links } = exchange;
    const key = [path, links.base, daily ? utcDay(now()) : ''].join(' ');
    return answerRendered(exchange, await kept(key, async () => render(links)));
  };
}

function documentsOf(parts: DocumentParts): Readonly<Record<string, Document>> {
  const { addresses, payTo, contact, now, example } = parts;
  return {
    ...descriptionsOf(parts),
    '/docs': page(async (links) => {
      const { docsPage } = await import('../../pages/docs/docs-page.ts');
      const openApi = await openApiAt(links, parts);
      return docsPage({ links, openApi, sells: payTo !== null, contact: elsewhere(parts), example });
    }, SCRIPTED_HTML_HEADERS),
    '/sellers': page(async (links) => {
      const { sellersPage } = await import('../../pages/docs/sellers-page.ts');
      return sellersPage({ links, contact: elsewhere(parts) });
    }, SCRIPTED_HTML_HEADERS),
    '/method': page(
      async (links) => (await import('../../pages/docs/method-page.ts')).methodPage(links),
      SCRIPTED_HTML_HEADERS,
    ),
    '/problems': page(async () => (await import('../../pages/docs/problems-page.ts')).problemsPage()),
    '/prober': page(async () => {
      const { proberPage } = await import('../../pages/docs/prober-page.ts');
      return proberPage({ base: addresses[0] ?? '', contact: elsewhere(parts) });
    }),
    '/robots.txt': text('text/plain', robotsText),
    '/sitemap.xml': text('application/xml', sitemap),
    '/style.css': file(readStylesheet(), 'text/css; charset=utf-8'),
    '/assay.js': file(readAsset('assay.js'), 'text/javascript; charset=utf-8'),
    ...Object.fromEntries(FONTS.map((name) => [`/fonts/${name}`, font(name)])),
    '/favicon.svg': file(readAsset('favicon.svg'), 'image/svg+xml'),
    '/favicon.ico': file(readAsset('favicon.ico'), 'image/x-icon'),
    '/apple-touch-icon.png': file(readAsset('apple-touch-icon.png'), 'image/png'),
    [SECURITY_TEXT_PATH]: {
      ...text('text/plain', () => securityText({ contact, addresses, now: now() })),
      daily: true,
    },
  };
}

/** Documents for programs. */
function descriptionsOf(parts: DocumentParts): Readonly<Record<string, Document>> {
  const { payTo, now } = parts;
  // The offer changes only with a new version of the program.
  const updatedAt = now();
  const manifest = json(({ base }) => x402Manifest({ base, payTo, updatedAt }));
  return {
    '/openapi.json': json((links) => openApiAt(links, parts)),
    '/.well-known/x402': manifest,
    '/.well-known/x402.json': manifest,
    '/llms.txt': text('text/plain', (links) => llmsText(links, payTo !== null)),
    [API_CATALOG_PATH]: {
      render: (links) => {
        const link = `<${links.base}${API_CATALOG_PATH}>; rel="api-catalog"`;
        return rendered(JSON.stringify(apiCatalog(links)), API_CATALOG_TYPE, { ...FOR_FIVE_MINUTES, link });
      },
    },
  };
}

/** Loaded when it is asked for: describing the interface takes longer than serving it. */
async function openApiAt({ base }: Links, { addresses, payTo, contact, example }: DocumentParts) {
  const { openApiDocument } = await import('../../wire/openapi/openapi-document.ts');
  const others = addresses.filter((address) => address !== base);
  return openApiDocument({ base, others, payTo, contact, example });
}

/** Null if the contact is one of our own pages, which is the default. */
function elsewhere({ contact, addresses }: DocumentParts): string | null {
  return addresses.some((address) => contact.startsWith(`${address}/`)) ? null : contact;
}

function json(make: (links: Links) => object | Promise<object>): Document {
  return { render: async (links) => renderedJson(await make(links), FOR_FIVE_MINUTES) };
}

function text(type: string, make: (links: Links) => string | Promise<string>): Document {
  return { render: async (links) => rendered(await make(links), `${type}; charset=utf-8`, FOR_FIVE_MINUTES) };
}

function file(content: Buffer, type: string): Document {
  return { render: () => rendered(content, type, FOR_FIVE_MINUTES) };
}

/** A font never changes: another one gets another name. */
function font(name: string): Document {
  return { render: () => rendered(readAsset(`fonts/${name}`), 'font/woff2', FOR_EVER) };
}

function page(make: (links: Links) => Promise<string>, headers: Headers = HTML_HEADERS): Document {
  return {
    render: async (links) => rendered(await make(links), HTML_TYPE, { ...headers, ...FOR_FIVE_MINUTES }),
  };
}
