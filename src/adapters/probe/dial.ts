import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { canonicalAddress } from '../../core/url/public-address.ts';

export interface DialRequest {
  /** An address that has passed the policy; never a name. */
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Opens a connection to exactly this address, or throws. */
export type Dial = (request: DialRequest) => Promise<Socket>;

/** A literal address is never looked up, and afterwards the other end is compared with it before a byte is sent. */
export const dialDirectly: Dial = async ({ address, port, signal }) => {
  const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await once(socket, 'connect');
    if (!isSame(socket.remoteAddress, address))
      throw new Error('connected to another address than the checked one');
    return socket;
  } catch (fault) {
    socket.destroy();
    throw fault;
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

function isSame(remote: string | undefined, address: string): boolean {
  return remote !== undefined && canonicalAddress(remote) === canonicalAddress(address);
}
