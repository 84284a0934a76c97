import type { EndpointCheck } from '../../../core/catalog/endpoint-check.ts';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import type { PaidCall } from '../../../core/known-answer/paid-call.ts';
import type { ServiceFactsReader } from '../../../ports/paid-calls.ts';
import type { Queries } from '../engine/tables.ts';
import { decodeCheck, decodePaidCall } from './service-facts-codec.ts';

/** SQLite allows 500 terms in a compound select. */
const SERVICES_AT_ONCE = 100;

export function serviceFacts(database: Queries): ServiceFactsReader {
  return {
    async callsOf(serviceIds, limit) {
      const calls = new Map<string, PaidCall[]>();
      for (const batch of inBatches([...new Set(serviceIds)], SERVICES_AT_ONCE)) {
        for (const { service_id, body } of await lastCalls(database, batch, limit)) {
          if (body === null) continue;
          const known = calls.get(service_id) ?? [];
          known.push(decodePaidCall(body));
          calls.set(service_id, known);
        }
      }
      return calls;
    },
    async checksOf(serviceIds) {
      const checks = new Map<string, EndpointCheck>();
      for (const batch of inBatches([...new Set(serviceIds)], SERVICES_AT_ONCE)) {
        const rows = await database
          .selectFrom('service_checks')
          .select(['service_id', 'body'])
          .where('service_id', 'in', batch)
          .execute();
        for (const { service_id, body } of rows) checks.set(service_id, decodeCheck(body));
      }
      return checks;
    },
  };
}

/** One index range per service. A window function would read every call ever made. */
async function lastCalls(database: Queries, serviceIds: readonly string[], limit: number) {
  const [first, ...others] = serviceIds.map((serviceId) => lastCallsOf(database, serviceId, limit));
  if (first === undefined) return [];
  return others.reduce((all, one) => all.unionAll(one), first).execute();
}

function lastCallsOf(database: Queries, serviceId: string, limit: number) {
  return database
    .selectFrom(
      database
        .selectFrom('paid_calls')
        .select(['service_id', 'called_at', 'id', 'body'])
        .where('service_id', '=', serviceId)
        .where('called_at', 'is not', null)
        .orderBy('called_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .as('last'),
    )
    .select(['last.service_id', 'last.called_at', 'last.id', 'last.body']);
}
