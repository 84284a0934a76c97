import { hash } from 'node:crypto';

/** 64 random bits: receipts can be neither guessed nor counted. */
export const LIVE_ID_BYTES = 8;

const LIVE_ID = /^sc-[0-9a-f]{16}$/;
const CRAWL_ID = /^[0-9a-f]{10}$/;

export type ReceiptKind = 'live' | 'crawl';

export function liveReceiptId(entropy: Uint8Array): string {
  if (entropy.byteLength !== LIVE_ID_BYTES)
    throw new Error(`a live receipt id needs ${LIVE_ID_BYTES} random bytes`);
  return `sc-${Buffer.from(entropy).toString('hex')}`;
}

/** Ten digits can collide: within a run, the next attempt gives another id (gap G54). */
export function crawlReceiptId(runId: string, normalizedUrl: string, attempt = 0): string {
  const parts = attempt === 0 ? [runId, normalizedUrl] : [runId, normalizedUrl, attempt];
  return hash('sha256', parts.join('\n'), 'hex').slice(0, 10);
}

/** The kind of receipt that an id names; null when it is not a receipt id. */
export function receiptKind(id: string): ReceiptKind | null {
  if (LIVE_ID.test(id)) return 'live';
  return CRAWL_ID.test(id) ? 'crawl' : null;
}
