import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './trial.ts';

/** A key and a certificate of one day, `NAME.key` and `NAME.pem` in the folder; returns the certificate. */
export async function throwAwayCertificate(folder: string, name: string, host: string): Promise<string> {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  await output('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', key, '-out', certificate],
  ]);
  return readFileSync(certificate, 'utf8');
}
