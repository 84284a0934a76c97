import { html } from 'hono/html';
import type { RunFacets } from '../../core/receipt/crawl-facets.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { TrendPoint } from '../../core/receipt/run-trend.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import { SKIP_REASONS } from '../../core/receipt/skip-groups.ts';
import { isSetAside, SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Html } from '../frame/layout.ts';
import { rankingChart } from './chart-ranking.ts';
import { shareChart } from './chart-share.ts';
import { trendChart } from './chart-trend.ts';
import { listsTable } from './skips-lists.ts';

/** The results of the run: charts and a table of its lists. */
export function runCharts(run: CrawlRun, trend: readonly TrendPoint[], links: Links): Html {
  const { verdicts, needsInput, facets } = run.summary;
  const skips = verdicts.skip - needsInput;
  return html`<div class="charts">
${shareChart({
  title: 'Verdicts',
  parts: [
    { look: 'skip', name: 'Skip', count: skips },
    ...(needsInput === 0 ? [] : [{ look: 'aside', name: 'Needs input first', count: needsInput } as const]),
    { look: 'recheck', name: 'Recheck', count: verdicts.recheck },
    { look: 'pay', name: 'Pay', count: verdicts.pay },
  ],
})}
${facets === null || skips === 0 ? '' : reasonsChart(facets, skips, links)}
${trendChart(trend)}
</div>
${facets === null ? '' : listsTable(run, facets, links)}`;
}

function reasonsChart({ reasons }: RunFacets, total: number, { skips }: Links): Html {
  const ranked = SKIP_REASONS.filter((code) => !isSetAside(code))
    .map((code) => ({
      name: SKIP_WORDS[code],
      count: reasons.get(code) ?? 0,
      href: viewUrl(skips, { ...EVERY_SKIP, reason: code }, null),
    }))
    .filter(({ count }) => count > 0);
  return rankingChart({ title: 'Reasons, most serious first', what: 'Reason', total, ranked });
}
