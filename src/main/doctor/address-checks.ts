import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import * as z from 'zod';
import { trustedProxies } from '../../core/access/caller-address.ts';
import { parseJson } from '../../core/x402/read-json.ts';
import { SECURITY_TEXT_PATH } from '../../pages/texts/security-text.ts';
import { boundedGet, type Got, reasonOf } from './bounded-get.ts';
import { type Check, type DoctorParts, serviceAddress } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

/** The service as its callers see it. */
export const ADDRESS_CHECKS: readonly Check[] = [
  { name: 'service', look: lookAtService },
  { name: 'public address', look: lookAtAddress },
  { name: 'proxy', look: lookAtProxy },
  { name: 'contact', look: lookAtContact },
];

const START = 'start the service, or point BASE_URL to it';

const ready = z.object({
  version: z.string().optional(),
  checks: z.record(z.string(), z.string().regex(/^[a-z_]{1,20}$/)),
});

async function lookAtService({ config, fetch, version }: DoctorParts): Promise<Verdict> {
  const address = serviceAddress(config);
  if (address === null) return off('its port is not known: set PORT or BASE_URL');
  const got = await boundedGet(fetch, `${address}/readyz`).catch(reasonOf);
  if (typeof got === 'string') return failure(`${address} does not answer: ${got}`, START);
  const read = ready.safeParse(parseJson(got.text));
  if (!read.success) return failure(`${address}/readyz is not ours: status ${got.status}`, START);
  const checks = Object.entries(read.data.checks).map(([name, state]) => `${name} ${state}`);
  if (got.status !== 200) return failure(`not ready: ${checks.join(', ')}`, 'see docs/production.md');
  if (read.data.version !== version) {
    return warning(
      `ready, but not of version ${version}`,
      'restart it after an upgrade, and run this program of the same release',
    );
  }
  if (read.data.checks['log'] !== 'ok') {
    return warning(`ready, with ${checks.join(', ')}`, 'see docs/production.md');
  }
  return ok(`ready: ${checks.join(', ')}`);
}

const NO_BASE = off('links show where the service listens: set BASE_URL');

/** The links of an answer must be those that callers can follow. */
async function lookAtAddress({ config, fetch }: DoctorParts): Promise<Verdict> {
  const { baseUrl } = config;
  if (baseUrl === null) return NO_BASE;
  const got = await boundedGet(fetch, `${baseUrl}/robots.txt`).catch(reasonOf);
  if (typeof got === 'string') return failure(`${baseUrl} does not answer: ${got}`, START);
  if (got.status !== 200) return failure(`${baseUrl} answers with status ${got.status}`, START);
  if (!got.text.includes(`Sitemap: ${baseUrl}/`)) {
    return failure(
      `the service behind ${baseUrl} makes links to another address`,
      'set the same BASE_URL for every process, and let the proxy pass Host on',
    );
  }
  return ok(`${baseUrl}, and links begin with it`);
}

const FORGED = ['203.0.113.7', '198.51.100.9'] as const;

/**
 * Two lookups under one name that is used once, each with another forged X-Forwarded-For: if both find a full quota, callers
 * choose their own address. Costs two free lookups of this machine's address.
 */
async function lookAtProxy({ config, fetch }: DoctorParts): Promise<Verdict> {
  const { baseUrl, trustedProxies: trusted } = config;
  if (baseUrl === null) return off('set BASE_URL, and TRUSTED_PROXIES to the proxy in front');
  const url = `${baseUrl}/v1/lookup?task=weather&client=doctor-${randomBytes(4).toString('hex')}`;
  const left: (number | null)[] = [];
  for (const address of FORGED) {
    const got = await boundedGet(fetch, url, { 'x-forwarded-for': address }).catch(reasonOf);
    if (typeof got === 'string') return warning(`not known: no answer (${got})`, 'see public address');
    left.push(remaining(got));
  }
  const [first = null, second = null] = left;
  if (first === null || second === null) {
    return warning('not known: the free lookups of this address are used up', 'run it again tomorrow');
  }
  if (second < first) return ok('a forged X-Forwarded-For does not count');
  if (await isTrustedHere(baseUrl, trusted)) {
    return warning(
      'a forged X-Forwarded-For counts, but this machine is in TRUSTED_PROXIES',
      'run it on another machine',
    );
  }
  return failure(
    'a forged X-Forwarded-For counts: every caller can choose its address and its quota',
    'let the proxy replace X-Forwarded-For, and name only the proxy in TRUSTED_PROXIES',
  );
}

function remaining({ status, headers }: Got): number | null {
  const left = /;r=([0-9]{1,9})/.exec(headers.get('ratelimit') ?? '')?.[1];
  return status === 200 && left !== undefined ? Number(left) : null;
}

/** Whether we reach the service from an address whose word it takes. */
async function isTrustedHere(baseUrl: string, trusted: readonly string[]): Promise<boolean> {
  const { trusts } = trustedProxies(trusted);
  const found = await lookup(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(
    () => [],
  );
  return found.some(({ address }) => trusts(address));
}

async function lookAtContact({ config, fetch }: DoctorParts): Promise<Verdict> {
  const { contact } = config;
  if (contact === null) return off('security.txt names a page of the service: set CONTACT');
  const address = serviceAddress(config);
  if (address === null) return ok(contact);
  const got = await boundedGet(fetch, `${address}${SECURITY_TEXT_PATH}`).catch(reasonOf);
  if (typeof got === 'string') return warning(`not known: no answer (${got})`, 'see service');
  const shown = /^Contact: (\S{1,300})$/m.exec(got.text)?.[1];
  if (shown === contact) return ok(`security.txt names ${contact}`);
  return failure('security.txt names another contact than CONTACT', 'restart the service with this CONTACT');
}
