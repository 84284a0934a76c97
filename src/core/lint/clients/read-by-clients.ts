import { headerValues } from '../../header-values.ts';
import type { ProbeAnswer } from '../../verdict/probe-outcome.ts';
import { decodeUtf8 } from '../../x402/base64.ts';
import { parseJson } from '../../x402/read-json.ts';
import { type ClientName, type ClientReading, refuses } from './client-reading.ts';
import { readBodyByFaremeter, readHeaderByFaremeter } from './faremeter-client.ts';
import { readByVersion1 } from './version-1-client.ts';
import { type Release, readByVersion2 } from './version-2-client.ts';

/** How each payer would read this 402. A model of their code, which a test holds against the packages themselves. */
export function readByClients(
  answer: Pick<ProbeAnswer, 'headers' | 'body'>,
): Readonly<Record<ClientName, ClientReading>> {
  // As fetch joins fields of one name.
  const header = headerValues(answer.headers, 'payment-required').join(', ').trim();
  const body = parseJson(decodeUtf8(answer.body));
  const version2 = (release: Release) =>
    header === '' ? refuses('no_terms') : readByVersion2(decoded(header, 'strict'), release);
  return {
    x402_fetch: version2('with_limits'),
    x402_axios: version2('without_limits'),
    x402_fetch_v1: readByVersion1(body),
    faremeter: header === '' ? readBodyByFaremeter(body) : readHeaderByFaremeter(decoded(header, 'lenient')),
  };
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Undefined when it is not base64, or not JSON. The lenient one leaves the alphabet to the decoder, and reads bytes. */
function decoded(header: string, kind: 'strict' | 'lenient'): unknown {
  if (kind === 'strict' && !BASE64.test(header)) return undefined;
  try {
    const binary = atob(header);
    return parseJson(kind === 'strict' ? utf8Of(binary) : binary);
  } catch {
    return undefined;
  }
}

function utf8Of(binary: string): string {
  return decodeUtf8(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
}
