import { createHash } from 'node:crypto';
import { parseJson } from '../x402/read-json.ts';

/** Enough of an answer to settle a dispute. */
const KEPT_BYTES = 65_536;

/** The delivered body: its hash, its beginning, and its JSON. */
export interface DeliveredBody {
  readonly sha256: string | null;
  readonly kept: string | null;
  /** Undefined when it is not JSON. */
  readonly json: unknown;
}

export function readDeliveredBody(body: Uint8Array): DeliveredBody {
  if (body.byteLength === 0) return { sha256: null, kept: null, json: undefined };
  const text = new TextDecoder().decode(body);
  return {
    sha256: createHash('sha256').update(body).digest('hex'),
    // A store may not hold NUL; the hash still identifies the exact bytes.
    kept: new TextDecoder().decode(body.subarray(0, KEPT_BYTES)).replaceAll('\u0000', '\ufffd'),
    json: parseJson(text),
  };
}
