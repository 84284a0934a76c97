import type { PeerCertificate } from 'node:tls';
import type { Reference } from '../../core/known-answer/known-answer-test.ts';
import { unreachable } from '../../core/unreachable.ts';

type Field = Extract<Reference, { readonly kind: 'tls' }>['field'];

const DAY_MS = 86_400_000;

/** One field of the certificate of a handshake; null when it is absent. */
export function certificateField(
  certificate: PeerCertificate,
  field: Field,
  now: Date,
): string | number | null {
  switch (field) {
    case 'valid_to':
      return isoOf(certificate.valid_to);
    case 'valid_from':
      return isoOf(certificate.valid_from);
    case 'days_left':
      return Math.floor((Date.parse(certificate.valid_to) - now.getTime()) / DAY_MS);
    case 'fingerprint256':
      return certificate.fingerprint256;
    case 'serial_number':
      return certificate.serialNumber;
    case 'issuer': {
      // An authority is known by its organisation; small ones have only a common name.
      const { O: organisation, CN: commonName } = certificate.issuer;
      return [organisation ?? commonName].flat()[0] ?? null;
    }
    default:
      return unreachable(field);
  }
}

function isoOf(written: string): string | null {
  const instant = Date.parse(written);
  return Number.isNaN(instant) ? null : `${new Date(instant).toISOString().slice(0, 19)}Z`;
}
