import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { TargetUrl } from '../../core/url/target-url.ts';

/**
 * TLS with the certificate verified for the name that was asked for. No session is kept: a resumed one could carry over
 * what an earlier address proved.
 */
export async function secure(
  socket: Socket,
  { host, hostKind }: TargetUrl,
  authorities?: readonly string[],
): Promise<TLSSocket> {
  const secured = connect({
    socket,
    host,
    ...(hostKind === 'name' ? { servername: host } : {}),
    ...(authorities === undefined ? {} : { ca: [...authorities] }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  });
  // The raw socket reports its own failures as well; they have been told through the secured one.
  socket.on('error', () => secured.destroy());
  await once(secured, 'secureConnect');
  return secured;
}
