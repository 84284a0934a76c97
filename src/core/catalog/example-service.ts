import { blockRule, type GatePolicy } from '../url/gate.ts';
import type { Service } from './read-catalog.ts';

/** A service that shows how a check works: a bare GET reaches it, and it may be checked from here; the first with a listed payee. */
export function exampleService(services: readonly Service[], policy: GatePolicy): Service | null {
  const plain = services.filter(
    ({ endpoint, method, pinnedFactsOnly }) =>
      method === 'GET' &&
      pinnedFactsOnly === null &&
      PLAIN.test(endpoint.href) &&
      blockRule(endpoint, policy) === null,
  );
  return plain.find(({ payTo }) => payTo !== null) ?? plain[0] ?? null;
}

/** No query and no template: it can be pasted into a shell. */
const PLAIN = /^https?:\/\/[A-Za-z0-9.:/_-]+$/;
