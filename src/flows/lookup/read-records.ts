import type { ServiceRecord } from '../../core/catalog/rank-services.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { LOOKUP_CALLS_READ } from '../../core/limits.ts';
import type { ServiceFactsReader } from '../../ports/paid-calls.ts';

/** These services with our own paid calls of each. The store is not asked about none. */
export async function readRecords(
  services: readonly Service[],
  facts: Pick<ServiceFactsReader, 'callsOf'>,
): Promise<readonly ServiceRecord[]> {
  if (services.length === 0) return [];
  const ids = services.map(({ id }) => id);
  const calls = await facts.callsOf(ids, LOOKUP_CALLS_READ);
  return services.map((service) => ({ service, calls: calls.get(service.id) ?? [] }));
}
