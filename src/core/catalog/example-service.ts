import { blockRule, type GatePolicy } from '../url/gate.ts';
import type { Service } from './read-catalog.ts';

/** A service that shows how a check works: a bare GET reaches it, and it may be checked from here; the cheapest with a listed payee. */
export function exampleService(services: readonly Service[], policy: GatePolicy): Service | null {
  const plain = services.filter(
    ({ endpoint, method, pinnedFactsOnly }) =>
      method === 'GET' &&
      pinnedFactsOnly === null &&
      PLAIN.test(endpoint.href) &&
      blockRule(endpoint, policy) === null,
  );
  return plain.toSorted(byUse)[0] ?? null;
}

/** No query and no template: it can be pasted into a shell. */
const PLAIN = /^https?:\/\/[A-Za-z0-9.:/_-]+$/;

function byUse(left: Service, right: Service): number {
  const payees = Number(right.payTo !== null) - Number(left.payTo !== null);
  if (payees !== 0) return payees;
  if (left.price !== right.price) return left.price < right.price ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
