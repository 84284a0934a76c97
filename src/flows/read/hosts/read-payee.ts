import type { ServiceFacts } from '../../../core/catalog/rank-services.ts';
import { PART_PAGE } from '../../../core/limits.ts';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import { hostOf } from '../../../core/receipt/skip-filter.ts';
import { bareHost } from '../../../core/url/host-in-path.ts';
import { addressKey, isSameAddress } from '../../../core/x402/address.ts';
import type { PartShare } from '../../../ports/crawl-runs.ts';
import { countOf, countRuns, type RunCount } from './count-runs.ts';
import { partServices } from './part-services.ts';
import { correctedReceipts, type PartPorts, SHARES } from './read-host.ts';

export interface PayeeView {
  /** In the spelling of the receipts. */
  readonly address: string;
  /** The run that is shown; null until the first one is published. */
  readonly run: CrawlRun | null;
  /** Null when nothing in the run shown asks to be paid to the address. */
  readonly count: RunCount | null;
  /** The first rows of the run in the order of their URLs, without those of hosts that opted out. */
  readonly endpoints: readonly CrawlReceipt[];
  /** The ids of receipts whose verdict was wrong. */
  readonly corrected: ReadonlySet<string>;
  readonly hosts: readonly PartShare[];
  /** Listed with this payee, while the live 402 asks for another one. */
  readonly replaced: readonly CrawlReceipt[];
  readonly replacedCount: number;
  /** Newest first. */
  readonly history: readonly RunCount[];
  readonly services: readonly ServiceFacts[];
}

/** All that is public about a payee; null for what is no address, and when there is nothing in the last runs and in the catalog. */
export async function readPayee(
  address: string,
  run: CrawlRun | null,
  ports: PartPorts,
): Promise<PayeeView | null> {
  const value = addressKey(address);
  if (value === null) return null;
  const part = { by: 'payee', value } as const;
  const isShown = (host: string) => !ports.optOuts.hasHost(bareHost(host));
  const listed = (ports.services.byPayee.get(value) ?? []).filter(({ endpoint }) => isShown(endpoint.host));
  const history = run === null ? [] : await countRuns(part, run, ports.runs);
  const { replaced, replacedCount } = await replacedIn(run, value, ports);
  const isPaid = history.some(({ endpoints }) => endpoints > 0);
  if (listed.length === 0 && replacedCount === 0 && !isPaid) return null;
  const services = await partServices(listed, ports.facts, ports.now());
  const rows = run === null ? [] : await ports.runs.partRows(run.id, part, PART_PAGE.endpoints);
  const shares = run === null ? [] : await ports.runs.sharesOf(run.id, part, SHARES);
  const endpoints = shownOf(rows, ports);
  const spelled = [...endpoints.map(({ payTo }) => payTo), ...replaced.map(({ listedPayTo }) => listedPayTo)];
  return {
    address: spelled.find((one) => one !== null && isSameAddress(one, address)) ?? address,
    run,
    count: run === null || rows.length === 0 ? null : countOf(run.id, history),
    endpoints,
    corrected: await correctedReceipts(ports),
    hosts: shares.filter(({ name }) => isShown(name)),
    replaced,
    replacedCount,
    history,
    services,
  };
}

async function replacedIn(run: CrawlRun | null, value: string, ports: PartPorts) {
  if (run === null) return { replaced: [], replacedCount: 0 };
  const part = { by: 'replaced_payee', value } as const;
  const rows = await ports.runs.partRows(run.id, part, PART_PAGE.shares);
  const { pay, skip, recheck } = await ports.runs.countPart(run.id, part, PART_PAGE.counted);
  return { replaced: shownOf(rows, ports), replacedCount: pay + skip + recheck };
}

/** Nothing of a host whose operator opted out. */
function shownOf(
  rows: readonly { readonly receipt: CrawlReceipt }[],
  { optOuts }: PartPorts,
): readonly CrawlReceipt[] {
  return rows.map(({ receipt }) => receipt).filter(({ url }) => !optOuts.hasHost(bareHost(hostOf(url))));
}
