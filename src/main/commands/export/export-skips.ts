import type { StaticFolder } from '../../../adapters/archive/static-folder.ts';
import { type CorrectedPorts, withCorrections } from '../../../flows/read/corrected-receipts.ts';
import { type FeaturedPorts, featuredReceipt } from '../../../flows/read/featured-receipt.ts';
import { listCrawl } from '../../../flows/read/list-crawl.ts';
import { type NotePorts, notesOf } from '../../../flows/seller/seller-notes.ts';
import type { PublishedRuns } from '../../../ports/crawl-runs.ts';
import { skipsSummaryJson } from '../../../wire/responses/crawl-summary-json.ts';
import type { Links } from '../../../wire/responses/links.ts';
import { skipsCsv } from '../../../wire/responses/skips-csv.ts';

export interface SkipsExportPorts {
  readonly corrections: CorrectedPorts['corrections'] & FeaturedPorts['corrections'];
  readonly runs: Pick<PublishedRuns, 'latest' | 'page' | 'byId'>;
  readonly notes: NotePorts;
  readonly links: Links;
}

/** The first page: the others have their number in a query, which a path cannot have. */
export async function exportSkips(
  { runs, notes, links, corrections }: SkipsExportPorts,
  files: StaticFolder,
): Promise<string | null> {
  const run = await runs.latest();
  const page = await listCrawl(run, { listing: 'skip', page: 1 }, runs);
  if (page === null) throw new Error('a run has a first page');
  const noted = await withCorrections(await notesOf(page.receipts, notes), { corrections });
  const beside = { notes: noted, featured: await featuredReceipt(run, { runs, corrections }) };
  await files.put('v1/skips.json', JSON.stringify(skipsSummaryJson(page, links, beside)));
  await files.put('v1/skips.csv', skipsCsv(page.receipts, links, noted));
  return run?.id ?? null;
}
