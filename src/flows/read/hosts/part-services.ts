import { rankServices, type ServiceFacts } from '../../../core/catalog/rank-services.ts';
import type { Service } from '../../../core/catalog/read-catalog.ts';
import type { TaskIndex } from '../../../core/catalog/task-index.ts';
import { LOOKUP_RECEIPTS, PART_PAGE } from '../../../core/limits.ts';
import { addressKey } from '../../../core/x402/address.ts';
import type { ServiceFactsReader } from '../../../ports/paid-calls.ts';
import { readRecords } from '../../lookup/read-records.ts';

/** The services of the catalog by host, spelled as in URLs, and by the key of a payee. */
export interface PartIndex {
  readonly byHost: ReadonlyMap<string, readonly Service[]>;
  readonly byPayee: ReadonlyMap<string, readonly Service[]>;
}

/** The catalog is read at start-up, so that this is made once. */
export function indexParts({ services }: Pick<TaskIndex, 'services'>): PartIndex {
  const byHost = new Map<string, Service[]>();
  const byPayee = new Map<string, Service[]>();
  for (const service of services) {
    const { host } = service.endpoint;
    addTo(byHost, host.includes(':') ? `[${host}]` : host, service);
    const payees = [service.payTo, ...service.payeeRotations.map(({ to }) => to)];
    for (const key of new Set(payees.map((payee) => (payee === null ? null : addressKey(payee))))) {
      if (key !== null) addTo(byPayee, key, service);
    }
  }
  return { byHost, byPayee };
}

/** What our own paid calls found out about some services, in the order of a lookup. */
export async function partServices(
  services: readonly Service[],
  facts: Pick<ServiceFactsReader, 'callsOf'>,
  now: Date,
): Promise<readonly ServiceFacts[]> {
  const records = await readRecords(services.slice(0, PART_PAGE.services), facts);
  const { ranked, factsOnly } = rankServices(records, {
    n: LOOKUP_RECEIPTS.default,
    limit: PART_PAGE.services,
    now,
  });
  return [...ranked, ...factsOnly];
}

function addTo(index: Map<string, Service[]>, key: string, service: Service): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [service]);
  else known.push(service);
}
