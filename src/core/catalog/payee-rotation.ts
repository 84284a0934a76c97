import type { Service } from './read-catalog.ts';

/** A seller that moves to another wallet says so with the key of the old one; nobody else can. */
export interface PayeeRotation {
  readonly to: string;
  /** A day, such as 2026-11-15. */
  readonly signedOn: string;
  /** Of the text below, by the wallet before this one. */
  readonly signature: string;
}

/** What the old wallet signs (EIP-191), to the letter. */
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

/** The listed payee, or the last of an unbroken chain of rotations from it; a broken link and all after it count for nothing. */
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
