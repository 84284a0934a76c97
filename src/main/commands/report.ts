import type { Store } from '../../adapters/store/store.ts';
import type { Outcome } from '../../cli/exit-code.ts';
import { type Arguments, readCount } from '../../cli/read-arguments.ts';
import { ATTRIBUTION_KEPT_DAYS } from '../../flows/operate/record-attribution.ts';
import { type AttributionReport, reportAttribution } from '../../flows/operate/report-attribution.ts';
import { loadCatalog } from '../build/load-catalog.ts';
import type { Config } from '../config/config.ts';
import type { Output } from './output.ts';
import { reportJson, reportText } from './render-report.ts';
import { withUsedStore } from './with-used-store.ts';

/** What tests replace. */
interface ReportParts {
  readonly environment?: NodeJS.ProcessEnv;
  readonly now?: () => Date;
}

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = '30';

/** assay report: which names, refs and tasks lead to lookups. */
export async function report(
  given: Arguments,
  output: Output,
  { environment, now = () => new Date() }: ReportParts = {},
): Promise<Outcome> {
  const days = readCount(given.text('--since') ?? DAYS_DEFAULT, ATTRIBUTION_KEPT_DAYS);
  if (days === null) {
    return { invalid: `--since must be a whole number of days from 1 to ${ATTRIBUTION_KEPT_DAYS}` };
  }
  return withUsedStore(output, environment, async (store, config) => {
    const found = await read(store, config, new Date(now().getTime() - days * DAY_MS));
    if (given.has('--json')) output.json(reportJson(found));
    else output.print(reportText(found));
    return 0;
  });
}

async function read(store: Store, config: Config, since: Date): Promise<AttributionReport> {
  const index = loadCatalog();
  const { createTransferLog } = await import('../../adapters/facilitator/transfers.ts');
  const transfers = createTransferLog({ rpcUrl: config.node.url });
  const catalog = { index, facts: store.paidCalls };
  return reportAttribution({ attribution: store.attribution, catalog, transfers }, since);
}
