import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { reasonOf } from './bounded-get.ts';
import type { Check, DoctorParts } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

export const CERTIFICATE_CHECK: Check = { name: 'certificate', look };

const DAY_MS = 86_400_000;
const WARN_DAYS = 21;
const TIMEOUT_MS = 4_000;
const FIX = 'renew the certificate, and reload the proxy';

export interface TlsPlace {
  readonly host: string;
  readonly port: number;
  /** The name that the certificate must have. */
  readonly name: string;
  /** In PEM, instead of those of the system. */
  readonly authorities?: string | undefined;
}

async function look({ config, now, authorities }: DoctorParts): Promise<Verdict> {
  if (config.baseUrl === null) return off('set BASE_URL');
  const { protocol, hostname, port } = new URL(config.baseUrl);
  if (protocol !== 'https:') return off('BASE_URL is not https: put a proxy with TLS in front and change it');
  const host = hostname.replace(/^\[|\]$/g, '');
  return certificateVerdict({ host, name: host, port: port === '' ? 443 : Number(port), authorities }, now());
}

/** Connects whatever the certificate is, and says what is wrong with it. */
export async function certificateVerdict(
  { host, port, name, authorities }: TlsPlace,
  now: Date,
): Promise<Verdict> {
  const socket = connect({
    host,
    port,
    // A certificate for an address is asked for without a name.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    rejectUnauthorized: false,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now.getTime()) / DAY_MS);
    if (days < 0) return failure(`it ended ${-days} days ago`, FIX);
    if (!socket.authorized)
      return failure(`clients do not trust it: ${String(socket.authorizationError)}`, FIX);
    return days < WARN_DAYS ? warning(`it ends in ${days} days`, FIX) : ok(`it ends in ${days} days`);
  } catch (fault) {
    return failure(`no TLS at ${name}: ${reasonOf(fault)}`, 'check the proxy, and what BASE_URL resolves to');
  } finally {
    socket.destroy();
  }
}
