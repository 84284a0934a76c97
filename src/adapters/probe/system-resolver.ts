import { lookup } from 'node:dns/promises';
import type { Resolve } from './resolve.ts';

/** As other programs on this machine resolve a name, hosts file included: for targets that are meant to be local. */
export const systemResolver: Resolve = async (name) => {
  try {
    const found = await lookup(name, { all: true });
    return { kind: 'addresses', addresses: found.map(({ address }) => address) };
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
    return { kind: code === 'ENOTFOUND' ? 'not_found' : 'failed' };
  }
};
