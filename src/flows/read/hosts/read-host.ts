import type { ServiceFacts } from '../../../core/catalog/rank-services.ts';
import { PART_PAGE } from '../../../core/limits.ts';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import { bareHost } from '../../../core/url/host-in-path.ts';
import type { OptOuts } from '../../../core/url/opt-outs.ts';
import type { PartShare, PublishedRuns } from '../../../ports/crawl-runs.ts';
import type { Corrections } from '../../../ports/log/corrections.ts';
import type { ServiceFactsReader } from '../../../ports/paid-calls.ts';
import { rightVerdicts } from '../corrected-receipts.ts';
import { countOf, countRuns, type RunCount } from './count-runs.ts';
import { type EndpointChange, endpointChanges } from './endpoint-changes.ts';
import { type PartIndex, partServices } from './part-services.ts';
import { spelledAs } from './spelled-as.ts';

export interface PartPorts {
  readonly runs: Pick<PublishedRuns, 'partRows' | 'countPart' | 'sharesOf' | 'countableRuns' | 'latestOf'>;
  readonly services: PartIndex;
  readonly facts: Pick<ServiceFactsReader, 'callsOf'>;
  readonly corrections: Pick<Corrections, 'newest'>;
  readonly optOuts: OptOuts;
  readonly now: () => Date;
}

export interface HostView {
  readonly host: string;
  /** True: its operator does not want it to be shown, so that nothing else is filled in. */
  readonly isOptedOut: boolean;
  /** The run that is shown; null until the first one is published. */
  readonly run: CrawlRun | null;
  /** Null when the run shown has nothing at the host. */
  readonly count: RunCount | null;
  /** The first rows of the run in the order of their URLs. */
  readonly endpoints: readonly CrawlReceipt[];
  /** The ids of receipts whose verdict was wrong. */
  readonly corrected: ReadonlySet<string>;
  readonly payees: readonly PartShare[];
  readonly changes: readonly EndpointChange[];
  /** Newest first. */
  readonly history: readonly RunCount[];
  readonly services: readonly ServiceFacts[];
}

/** All that is public about a host; null when there is nothing in the last runs and in the catalog. */
export async function readHost(
  host: string,
  run: CrawlRun | null,
  ports: PartPorts,
): Promise<HostView | null> {
  if (ports.optOuts.hasHost(bareHost(host))) return { ...NOTHING, host, run, isOptedOut: true };
  const part = { by: 'host', value: host } as const;
  const listed = ports.services.byHost.get(host) ?? [];
  const history = run === null ? [] : await countRuns(part, run, ports.runs);
  if (listed.length === 0 && !history.some(({ endpoints }) => endpoints > 0)) return null;
  const services = await partServices(listed, ports.facts, ports.now());
  if (run === null) return { ...NOTHING, host, services };
  const rows = await ports.runs.partRows(run.id, part, PART_PAGE.endpoints);
  const endpoints = rows.map(({ receipt }) => receipt);
  const shares = await ports.runs.sharesOf(run.id, part, SHARES);
  return {
    host,
    isOptedOut: false,
    run,
    endpoints,
    history,
    services,
    count: rows.length === 0 ? null : countOf(run.id, history),
    corrected: await correctedReceipts(ports),
    payees: spelledAs(shares, endpoints),
    changes: await endpointChanges(rows, ports.runs),
  };
}

export async function correctedReceipts(ports: PartPorts): Promise<ReadonlySet<string>> {
  return new Set((await rightVerdicts(ports)).keys());
}

export const SHARES = { rows: PART_PAGE.counted, shares: PART_PAGE.shares };

const NOTHING = {
  isOptedOut: false,
  run: null,
  count: null,
  endpoints: [],
  corrected: new Set<string>(),
  payees: [],
  changes: [],
  history: [],
  services: [],
} as const;
