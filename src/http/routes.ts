import type { Service } from '../core/catalog/read-catalog.ts';
import type { ProvePorts } from '../flows/log/prove-receipt.ts';
import type { Catalog } from '../flows/lookup/look-up-services.ts';
import { createRankCatalog } from '../flows/lookup/rank-catalog.ts';
import type { QuotaLeft } from '../flows/quota/quota-left.ts';
import type { CorrectionPorts } from '../flows/read/list-corrections.ts';
import type { LatelyPorts } from '../flows/read/read-lately.ts';
import type { ReceiptPorts } from '../flows/read/read-receipts.ts';
import type { SellerPorts } from '../flows/seller/act-for-seller.ts';
import { CHECK_PATH } from '../pages/front/check-form.ts';
import type { Clock } from '../ports/clock.ts';
import type { PublishedRuns } from '../ports/crawl-runs.ts';
import type { PaintPicture } from '../ports/pictures/paint-picture.ts';
import type { SnapshotStore } from '../ports/snapshot/snapshots.ts';
import { LOOKUP, LOOKUP_PAID, PACK, SPOT_CHECK } from '../wire/payment/paid-routes.ts';
import type { Routes } from './app.ts';
import { type AnswerCard, createAnswerCard } from './cards/answer-card.ts';
import { cardRoutes } from './cards/card-routes.ts';
import { createReceiptCards } from './cards/receipt-cards.ts';
import type { Handler } from './exchange/answer.ts';
import { badgeRoute } from './routes/badge.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { checkRoutes } from './routes/check.ts';
import { type CrawlPages, createCrawlPages } from './routes/crawl-pages.ts';
import { hostRoutes } from './routes/hosts/host-routes.ts';
import { correctionRoutes } from './routes/log/corrections.ts';
import { proofRoute } from './routes/log/proofs.ts';
import { statementRoute } from './routes/log/statements.ts';
import { type LookupParts, lookupRoutes } from './routes/lookup.ts';
import { MCP_PATH, type McpParts, mcpRoute } from './routes/mcp.ts';
import { mcpDocuments } from './routes/mcp-documents.ts';
import type { MissingReceiptPorts } from './routes/missing-receipt.ts';
import { type PackParts, packRoute } from './routes/pack.ts';
import { createReceiptPages } from './routes/receipt-pages.ts';
import { receiptListRoute, receiptRoute, receiptsByUrlRoute } from './routes/receipts.ts';
import { sellersRoute } from './routes/sellers.ts';
import { skipsRoute } from './routes/skips.ts';
import { type SpotCheckRouteParts, spotCheckRoute } from './routes/spot-check.ts';
import { watchFeedRoute } from './routes/watch-feed.ts';
import { snapshotRoutes } from './snapshot/snapshot-routes.ts';

export interface ServiceParts extends LookupParts, SpotCheckRouteParts, PackParts, Pick<Clock, 'now'> {
  readonly receipts: ReceiptPorts;
  readonly runs: PublishedRuns;
  readonly sellers: SellerPorts;
  readonly mcp: McpParts;
  readonly snapshots: SnapshotStore;
  readonly quotaLeft: QuotaLeft;
  readonly catalog: Catalog;
  /** A service of the catalog that can be checked, for examples. */
  readonly example: Service | null;
  readonly proving: ProvePorts;
  /** Where the files of retired receipts are; null when nowhere public. */
  readonly archiveUrl: string | null;
  readonly correcting: CorrectionPorts;
  readonly paint: PaintPicture;
}

/** Every path of the interface, and the pages that need the store. */
export function serviceRoutes(parts: ServiceParts): Routes {
  const crawlPages = createCrawlPages({
    ...parts,
    notes: parts.sellers,
    corrections: parts.correcting.corrections,
  });
  const answerCard = createAnswerCard(parts.paint);
  const { lookup, paid } = lookupRoutes(parts);
  const spotCheck = spotCheckRoute(parts);
  const pack = packRoute(parts);
  const rankCatalog = createRankCatalog(parts.catalog, parts);
  const { front, check } = checkRoutes({
    rankCatalog,
    ...parts,
    latestRun: crawlPages.latest,
    lately: latelyPorts(parts),
  });
  return {
    '/': { GET: front },
    [CHECK_PATH]: { GET: front, POST: check, nature: 'form' },
    '/badge.svg': {
      GET: badgeRoute({ ...parts.receipts, ...parts.correcting, sellers: parts.sellers.sellers }),
    },
    [LOOKUP.path]: { GET: lookup, nature: 'sale' },
    [LOOKUP_PAID.path]: { GET: paid, nature: 'sale' },
    [SPOT_CHECK.path]: { GET: spotCheck, POST: spotCheck, nature: 'check' },
    [PACK.path]: { GET: pack, POST: pack, nature: 'sale' },
    '/v1/skips': { GET: skipsRoute(crawlPages, 'skips_html') },
    '/v1/skips.json': { GET: skipsRoute(crawlPages, 'skips') },
    '/v1/skips.csv': { GET: skipsRoute(crawlPages, 'skips_csv') },
    '/v1/skips.atom': { GET: (exchange) => crawlPages.feed(exchange) },
    '/v1/receipts': { GET: receiptListRoute(parts.receipts, crawlPages) },
    '/v1/receipts/:id': { GET: receiptOrByUrl({ ...parts, answerCard }, crawlPages.latest) },
    '/v1/receipts/:id/statement': { GET: statementRoute(parts.receipts, missingOf(parts)) },
    '/v1/receipts/:id/proof': { GET: proofRoute(parts.proving, parts.archiveUrl, 'bundle') },
    '/v1/receipts/:id/proof.tlog-proof': { GET: proofRoute(parts.proving, parts.archiveUrl, 'tlog-proof') },
    '/v1/watch.atom': { GET: watchFeedRoute({ ...parts.receipts, ...parts.correcting }) },
    '/v1/sellers': { POST: sellersRoute(parts.sellers), nature: 'check' },
    ...cardRoutes({ ...parts, answerCard, latestRun: crawlPages.latest }),
    ...snapshotRoutes({ snapshots: parts.snapshots, transparencyLog: parts.proving.transparencyLog }),
    ...correctionRoutes(parts.correcting),
    ...catalogRoutes({ ...parts, rankCatalog }),
    ...hostRoutes({
      ...parts,
      notes: parts.sellers,
      corrections: parts.correcting.corrections,
      latestRun: crawlPages.latest,
    }),
    [MCP_PATH]: mcpRoute(parts.mcp),
    ...mcpDocuments(),
  };
}

function latelyPorts({ receipts, runs, correcting, check }: ServiceParts): LatelyPorts {
  const { corrections } = correcting;
  return { receipts: receipts.receipts, runs, corrections, policy: check.policy, clock: receipts.clock };
}

function missingOf({ proving, archiveUrl }: ServiceParts): MissingReceiptPorts {
  return { ...proving, archiveUrl };
}

/** One pattern for both: the router does not support a fixed path beside a variable one. */
function receiptOrByUrl(
  parts: ServiceParts & { readonly answerCard: AnswerCard },
  latestRun: CrawlPages['latest'],
): Handler {
  const { sellers: notes, catalog, receipts, now } = parts;
  const missing = missingOf(parts);
  const pages = createReceiptPages({
    ...parts,
    ...parts.proving,
    ...parts.correcting,
    missing,
    receipts,
    notes,
    latestRun,
    index: catalog.index,
  });
  const receipt = receiptRoute(
    { receipts, notes, now, latestRun, missing },
    pages,
    createReceiptCards({ ...parts, ...parts.correcting, receipts, missing }),
  );
  const byUrl = receiptsByUrlRoute(parts.receipts);
  return (exchange, id) => (id === 'by-url' ? byUrl(exchange, id) : receipt(exchange, id));
}
