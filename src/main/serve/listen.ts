import { once } from 'node:events';
import type { Server } from 'node:http';

/** What the operator can change. */
export interface SettingNames {
  readonly host: string;
  readonly port: string;
}

const HOST_AND_PORT = /^(?:([A-Za-z0-9.-]{1,253})|\[([0-9A-Fa-f:.]{2,45})\]):([0-9]{1,5})$/;
const PORT_MAX = 65_535;

/** A host and a port, such as 127.0.0.1:4404 or [::1]:4404; null for any other text. */
export function readHostAndPort(text: string): { readonly host: string; readonly port: number } | null {
  const [, name, six, digits] = HOST_AND_PORT.exec(text) ?? [];
  const host = six ?? name;
  const port = Number(digits ?? PORT_MAX + 1);
  return host !== undefined && port <= PORT_MAX ? { host, port } : null;
}

/** Listens and returns the address, such as http://127.0.0.1:4402; with a wildcard host, localhost. */
export async function listenOn(
  server: Server,
  host: string,
  port: number,
  names: SettingNames = { host: 'the address', port: 'the port' },
): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new Error(`cannot listen on ${host}:${port}: ${code}${fixOf(code, names)}`, { cause });
  }
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('a server without a port');
  const name = EVERYWHERE.has(at.address) ? 'localhost' : at.address;
  return `http://${name.includes(':') ? `[${name}]` : name}:${at.port}`;
}

function fixOf(code: string, { host, port }: SettingNames): string {
  switch (code) {
    case 'EADDRINUSE':
      return `, another process has the port; stop it or change ${port}`;
    case 'EACCES':
      return `, this user may not take the port; change ${port} to one above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `, this machine has no such address; change ${host}`;
    default:
      return '';
  }
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const DRAIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Stops accepting connections and finishes open requests, within this time. */
export async function stopListening(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  // Idle keep-alive connections are closed, not awaited.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
  clearTimeout(late);
  clearInterval(idle);
}
