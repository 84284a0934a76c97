import { createAuthorizationLog } from '../../../src/adapters/facilitator/chain-log.ts';
import type { AuthorizationLog } from '../../../src/ports/facilitator.ts';

/** What the chain says, as if its clock had been moved like the service's: blocks of the local chain have the time they were made. */
export function logAt(rpcUrl: string, now: () => Date): AuthorizationLog {
  const log = createAuthorizationLog({ rpcUrl });
  return {
    async useOf(authorization) {
      const use = await log.useOf(authorization);
      return use.kind === 'unused' ? { ...use, asOf: now() } : use;
    },
  };
}
