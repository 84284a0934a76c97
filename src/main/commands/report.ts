import type { Outcome } from '../../cli/exit-code.ts';
import { type Arguments, readCount } from '../../cli/read-arguments.ts';
import { ATTRIBUTION_KEPT_DAYS } from '../../flows/operate/record-attribution.ts';
import { type AttributionReport, reportAttribution } from '../../flows/operate/report-attribution.ts';
import { loadCatalog } from '../build/load-catalog.ts';
import { openStore } from '../build/open-store.ts';
import { type Config, readConfig } from '../config/config.ts';
import { faultText, type Output } from './output.ts';
import { reportJson, reportText } from './render-report.ts';

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
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  try {
    const found = await read(reading.config, new Date(now().getTime() - days * DAY_MS));
    if (given.has('--json')) output.json(reportJson(found));
    else output.print(reportText(found));
    return 0;
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}

async function read(config: Config, since: Date): Promise<AttributionReport> {
  const index = loadCatalog();
  const store = await openStore(config);
  try {
    const { createTransferLog } = await import('../../adapters/facilitator/transfers.ts');
    const transfers = createTransferLog({ rpcUrl: config.node.url });
    const catalog = { index, facts: store.paidCalls };
    return await reportAttribution({ attribution: store.attribution, catalog, transfers }, since);
  } finally {
    await store.close();
  }
}
