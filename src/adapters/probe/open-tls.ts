import { type PeerCertificate, TLSSocket } from 'node:tls';
import { blockRule } from '../../core/url/gate.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import { deadlineIn } from './deadline.ts';
import { type LocateParts, locate } from './locate.ts';
import { type ConnectionParts, openConnection } from './open-connection.ts';

/** The certificate that a host shows for its name, verified; null when there is none. Never throws. */
export type OpenTls = (target: TargetUrl) => Promise<PeerCertificate | null>;

/** A handshake through the gate and nothing else: not a byte of a request is sent. */
export function createOpenTls(parts: ConnectionParts & LocateParts): OpenTls {
  return async (target) => {
    if (target.scheme !== 'https' || blockRule(target, parts.policy) !== null) return null;
    const deadline = deadlineIn(parts.timeoutMs);
    try {
      const located = await locate(target, parts, deadline.signal);
      if (located.kind !== 'located') return null;
      const connection = await openConnection(target, located.addresses, parts, deadline.signal);
      if (connection.kind !== 'open') return null;
      const { socket } = connection;
      const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : null;
      socket.destroy();
      return certificate;
    } finally {
      deadline.close();
    }
  };
}
