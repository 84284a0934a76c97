import type { Service } from './read-catalog.ts';

/** A seller announces a new wallet with a signature of the old one, which nobody else can make. */
export interface PayeeRotation {
  readonly to: string;
  /** A day, such as 2026-11-15. */
  readonly signedOn: string;
  /** Signature of the text below by the previous wallet. */
  readonly signature: string;
}

/** The exact text that the old wallet signs (EIP-191). */
export function rotationText(serviceId: string, from: string, { to, signedOn }: PayeeRotation): string {
  return [
    'Assay payee rotation',
    `service: ${serviceId}`,
    `from: ${from.toLowerCase()}`,
    `to: ${to.toLowerCase()}`,
    `date: ${signedOn}`,
  ].join('\n');
}

export type IsSignedBy = (wallet: string, text: string, signature: string) => Promise<boolean>;

/** The listed payee, or the end of the chain of rotations that starts at it. The chain ends at the first invalid signature. */
export async function currentPayee(
  { id, payTo }: Pick<Service, 'id' | 'payTo'>,
  rotations: readonly PayeeRotation[],
  isSignedBy: IsSignedBy,
): Promise<string | null> {
  let payee = payTo;
  for (const rotation of rotations) {
    if (payee === null) return null;
    const isSigned = await isSignedBy(payee, rotationText(id, payee, rotation), rotation.signature);
    if (!isSigned) return payee;
    payee = rotation.to;
  }
  return payee;
}
