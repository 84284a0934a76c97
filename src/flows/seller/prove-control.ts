import { fileNames, PROOF_PATH, proofName, recordsName } from '../../core/seller/proof-token.ts';
import { PROOF_KEPT_SECONDS } from '../../core/seller/seller-limits.ts';
import { originOf, parseTargetUrl, type TargetUrl } from '../../core/url/target-url.ts';
import type { ProofSource } from '../../ports/seller.ts';
import type { TargetBusy } from '../check/start-probe.ts';
import type { VisitTarget } from '../check/visit-target.ts';

export interface ProvePorts {
  readonly proofs: ProofSource;
  readonly visitTarget: VisitTarget;
  readonly now: () => Date;
}

export type Proof =
  | { readonly kind: 'proven' }
  | { readonly kind: 'unproven' }
  /** The name leads to an address that is not fetched. */
  | { readonly kind: 'blocked' }
  | TargetBusy;

/** Whether the host of a URL publishes this key. `askedBy` is a keyed hash of the caller's network prefix. */
export type ProveControl = (target: TargetUrl, key: string, askedBy: string) => Promise<Proof>;

/** Proofs remembered in this process. */
const KEPT_MAX = 1_000;
const KEPT_MS = PROOF_KEPT_SECONDS * 1_000;

/** At most one file and one DNS look-up a call; a proof is remembered for ten minutes (gap L110). */
export function createProveControl(ports: ProvePorts): ProveControl {
  const proven = new Map<string, number>();
  const remember = (name: string) => {
    proven.delete(name);
    proven.set(name, ports.now().getTime());
    for (const [oldest] of proven) {
      if (proven.size <= KEPT_MAX) break;
      proven.delete(oldest);
    }
  };
  return async (target, key, askedBy) => {
    const name = `${originOf(target)} ${key}`;
    const at = proven.get(name);
    if (at !== undefined && Math.abs(ports.now().getTime() - at) < KEPT_MS) return { kind: 'proven' };
    const proof = await readProof(target, key, askedBy, ports);
    if (proof.kind === 'proven') remember(name);
    return proof;
  };
}

async function readProof(
  target: TargetUrl,
  key: string,
  askedBy: string,
  { proofs, visitTarget }: ProvePorts,
): Promise<Proof> {
  const file = fileOf(target);
  const visit = await visitTarget(file, { by: askedBy, mayUseReserve: false }, async (place) => {
    if (place.kind === 'nowhere' && place.outcome.kind === 'blocked') return 'blocked';
    const text = await proofs.file(file, place);
    return text !== null && fileNames(text, key) ? 'proven' : 'unproven';
  });
  if (visit.kind === 'rate_limited') return visit;
  if (visit.value !== 'unproven' || target.hostKind === 'address') return { kind: visit.value };
  const records = await proofs.records(proofName(target.host));
  return { kind: recordsName(records, key) ? 'proven' : 'unproven' };
}

function fileOf(target: TargetUrl): TargetUrl {
  const reading = parseTargetUrl(originOf(target) + PROOF_PATH);
  if (reading.kind === 'invalid') throw new Error('the origin of a target cannot be read');
  return reading.target;
}
