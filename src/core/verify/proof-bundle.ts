import { decodeBase64 } from '../log/base64.ts';
import { isJsonObject, type JsonObject, member, parseJson } from '../x402/read-json.ts';

/** One file that verifies a receipt offline. */
export interface ProofBundle {
  /** The bytes that the log commits to. */
  readonly statement: Uint8Array;
  /** A signed note. */
  readonly promise: string | null;
  /** A c2sp.org/tlog-proof. Of a crawl receipt it is about the tree of its run. */
  readonly proof: string;
  /** The run of a crawl receipt, and the proof that it is in the log. */
  readonly run: { readonly statement: Uint8Array; readonly proof: string } | null;
}

const FORM = 'proof/1';
/** Twice the largest statement in base64, and two proofs. */
const BUNDLE_MAX_CHARS = 2_097_152;

/** Null for anything else. Reads the form only: nothing in it is verified. */
export function parseProofBundle(text: string): ProofBundle | null {
  const value = text.length > BUNDLE_MAX_CHARS ? undefined : parseJson(text);
  if (!isJsonObject(value) || member(value, 'assay') !== FORM) return null;
  const proved = readProved(value);
  const promise = member(value, 'promise') ?? null;
  const run = member(value, 'run');
  if (proved === null || (promise !== null && typeof promise !== 'string')) return null;
  if (run === undefined) return { ...proved, promise, run: null };
  const provedRun = isJsonObject(run) ? readProved(run) : null;
  return provedRun === null ? null : { ...proved, promise, run: provedRun };
}

function readProved(object: JsonObject): Pick<ProofBundle, 'statement' | 'proof'> | null {
  const [encoded, proof] = [member(object, 'statement'), member(object, 'proof')];
  const statement = typeof encoded === 'string' ? decodeBase64(encoded) : null;
  return statement === null || typeof proof !== 'string' ? null : { statement, proof };
}
