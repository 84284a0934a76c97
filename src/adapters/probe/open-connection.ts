import type { Socket } from 'node:net';
import type { TargetUrl } from '../../core/url/target-url.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import type { Dial } from './dial.ts';
import { secure } from './secure.ts';

export type Connection =
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'connection_failed' }
  | { readonly kind: 'tls_failed' };

export interface ConnectionParts {
  readonly dial: Dial;
  readonly timeoutMs: number;
  readonly authorities?: readonly string[];
}

/** One connection to one of the checked addresses, encrypted when the scheme asks for it. */
export async function openConnection(
  target: TargetUrl,
  addresses: readonly string[],
  parts: ConnectionParts,
  signal: AbortSignal,
): Promise<Connection> {
  const socket = await dialFirst(target, addresses, parts, signal);
  if (socket === null) return { kind: signal.aborted ? 'timed_out' : 'connection_failed' };
  if (target.scheme === 'http') return { kind: 'open', socket };
  try {
    const secured = await unlessAborted(signal, secure(socket, target, parts.authorities));
    if (secured !== null) return { kind: 'open', socket: secured };
    socket.destroy();
    return { kind: 'timed_out' };
  } catch {
    socket.destroy();
    return { kind: 'tls_failed' };
  }
}

/** In turn; an address that only keeps silent leaves time for the next one. */
async function dialFirst(
  { port }: TargetUrl,
  addresses: readonly string[],
  { dial, timeoutMs }: ConnectionParts,
  signal: AbortSignal,
): Promise<Socket | null> {
  for (const [index, address] of addresses.entries()) {
    // The last one has all that is left: the deadline of the whole ends it.
    const isLast = index === addresses.length - 1;
    const attempt = deadlineIn(isLast ? 2 * timeoutMs : timeoutMs / addresses.length, signal);
    try {
      const dialling = dial({ address, port, signal: attempt.signal });
      const socket = await unlessAborted(attempt.signal, dialling);
      if (socket !== null) return socket;
      dialling.then((late) => late.destroy()).catch(() => {});
    } catch {
      // Refused or unroutable: the next address may answer.
    } finally {
      attempt.close();
    }
    if (signal.aborted) return null;
  }
  return null;
}
