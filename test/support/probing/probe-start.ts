import type { CheckEnd, ProbeStart } from '../../../src/ports/check-writes.ts';
import type { StoredProbe } from '../../../src/ports/probe-cache.ts';
import { aReceipt, NOON, receiptId } from '../../../tools/samples/store-receipts.ts';

/** A probe of 'a/1', which is path 1 of target a, or of 'a:8443/1'; each has a holder of its own. */
export function probeStart(url: string, changes: Partial<ProbeStart> = {}): ProbeStart {
  return {
    targetKey: `target ${url.split('/')[0]}`,
    addressKeys: [],
    holder: `holder of ${url}`,
    key: { urlKey: `key of ${url}`, method: 'GET' },
    newerThan: NOON,
    counters: [],
    ...changes,
  };
}

export function probeAt(probedAt: Date): StoredProbe {
  return { observation: { kind: 'timed_out' }, probedAt, spelling: 'spelling' };
}

/** Leaves the n-th receipt. */
export function checkEnd(n: number, changes: Partial<CheckEnd> = {}): CheckEnd {
  return { kept: { receipt: aReceipt({ id: receiptId(n) }), urlKey: 'key' }, givenBack: [], ...changes };
}
