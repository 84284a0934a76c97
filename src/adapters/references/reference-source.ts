import { select } from '../../core/known-answer/answer-path.ts';
import type { Reference } from '../../core/known-answer/known-answer-test.ts';
import { unreachable } from '../../core/unreachable.ts';
import { parseJson } from '../../core/x402/read-json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReferenceSource } from '../../ports/verify/own-calls.ts';
import type { GatedFetch } from '../probe/gated-fetch.ts';
import type { LocateParts } from '../probe/locate.ts';
import type { ConnectionParts } from '../probe/open-connection.ts';
import { createOpenTls, type OpenTls } from '../probe/open-tls.ts';
import { certificateField } from './certificate-field.ts';
import { clockReading } from './clock-reading.ts';
import { ethCall } from './eth-call.ts';

export interface ReferenceSourceParts
  extends LocateParts,
    Omit<ConnectionParts, 'timeoutMs'>,
    Pick<Clock, 'now'> {
  /** Per source; five seconds by default. */
  readonly timeoutMs?: number;
  readonly fetch: GatedFetch;
  /** The operator's node of Base, perhaps on the same machine. */
  readonly rpcUrl: string;
}

export type ReferenceValue = string | number | boolean;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;
const TEXT_MAX_CHARS = 500;

/** Free sources that are independent of the seller. Any fault is null: a missing reference proves nothing. */
export function createReferenceSource(parts: ReferenceSourceParts): ReferenceSource {
  const timeoutMs = parts.timeoutMs ?? TIMEOUT_MS;
  const openTls = createOpenTls({ ...parts, timeoutMs });
  return {
    async ask(reference) {
      try {
        return usable(await answerOf(reference, { ...parts, timeoutMs, openTls }));
      } catch {
        return null;
      }
    },
  };
}

type Ways = Pick<ReferenceSourceParts, 'fetch' | 'rpcUrl' | 'now'> & {
  readonly timeoutMs: number;
  readonly openTls: OpenTls;
};

async function answerOf(
  reference: Reference,
  { fetch, rpcUrl, now, timeoutMs, openTls }: Ways,
): Promise<unknown> {
  switch (reference.kind) {
    case 'http_json':
      return select(reference.path, await readJson(fetch, reference.url.href, timeoutMs))[0];
    case 'eth_call':
      return ethCall(reference, { rpcUrl, timeoutMs });
    case 'clock':
      return clockReading(reference.as, now());
    case 'tls': {
      const certificate = await openTls(reference.target);
      return certificate === null ? null : certificateField(certificate, reference.field, now());
    }
    default:
      return unreachable(reference);
  }
}

async function readJson(fetch: GatedFetch, url: string, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  const bytes = response.ok ? await response.arrayBuffer() : new ArrayBuffer(0);
  return bytes.byteLength > MAX_BYTES ? null : parseJson(new TextDecoder().decode(bytes));
}

/** One plain value: an array or an object means that the source has changed. */
function usable(value: unknown): ReferenceValue | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && value !== '' && value.length <= TEXT_MAX_CHARS ? value : null;
}
