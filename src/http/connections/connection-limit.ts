import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TrustedProxies } from '../../core/access/caller-address.ts';
import { networksOf } from '../../core/access/networks.ts';
import { canonicalAddress } from '../../core/url/public-address.ts';
import { createUnderWay } from '../admission/under-way.ts';

export interface ConnectionLimit {
  readonly perAddress: number;
  /** All callers come through a trusted proxy, so its connections are bounded by the sum of all only. */
  readonly trusts: TrustedProxies;
}

/** Connections of one address, and ten times as many of one IPv6 /48; more are closed at once (gap G102). */
export function limitConnections(server: Server, { perAddress, trusts }: ConnectionLimit): void {
  const open = createUnderWay(perAddress);
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '');
    if (address !== null && trusts(address)) return;
    const networks = networksOf(address ?? '');
    if (open.enter(networks)) socket.once('close', () => open.leave(networks));
    else socket.destroy();
  });
}
