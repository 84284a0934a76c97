import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { blockRule, mayDial, publicWeb } from '../../src/core/url/gate.ts';
import { publicAddresses } from '../../src/core/url/public-address.ts';
import { redactUrl } from '../../src/core/url/redact-url.ts';
import { parseTargetUrl } from '../../src/core/url/target-url.ts';
import { readFixture } from '../support/fixture.ts';

/**
 * The URL corpus against the pure gate. What only a running service can show (raw queries and bodies, timeouts of the
 * resolver) belongs to later suites; addresses that the corpus's stub resolver would give are judged here.
 */
const expectation = z.enum(['blocked', 'bad_request', 'allowed_public']);
const records = z.object({ A: z.array(z.string()).optional(), AAAA: z.array(z.string()).optional() });
const corpus = z.array(
  z.object({
    id: z.string(),
    url: z.string(),
    category: z.string(),
    expect: expectation,
    why: z.string(),
    also_ok: z.array(expectation).default([]),
    ambiguous: z.boolean().default(false),
    template: z.boolean().default(false),
    raw_query: z.string().optional(),
    raw_body: z.string().optional(),
    dns: records.extend({ sequence: z.array(records).optional() }).optional(),
    must_not_leak: z.array(z.string()).default([]),
    must_escape: z.array(z.string()).default([]),
  }),
);
type Case = z.infer<typeof corpus>[number];

const OWN_BASE = 'https://assay.example.org';
const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(['assay.example.org']) });

function decide({ url, dns }: Case): z.infer<typeof expectation> {
  const reading = parseTargetUrl(url);
  if (reading.kind === 'invalid') return 'bad_request';
  if (blockRule(reading.target, policy) !== null) return 'blocked';
  const { A = [], AAAA = [] } = dns?.sequence?.[0] ?? dns ?? {};
  const resolved = [...A, ...AAAA];
  return resolved.length > 0 && !mayDial(resolved, policy) ? 'blocked' : 'allowed_public';
}

const ownNames = (text: string) =>
  text
    .replace('{base_url}', OWN_BASE)
    .replace('{base_url_uppercase_host}', 'https://ASSAY.EXAMPLE.ORG')
    .replace('{base_url_trailing_dot_host}', 'https://assay.example.org.');

const cases = readFixture('ssrf-urls.json', corpus)
  .filter(({ raw_query, raw_body }) => raw_query === undefined && raw_body === undefined)
  .map((entry) => (entry.template ? { ...entry, url: ownNames(entry.url) } : entry));

/** Where the corpus leaves a choice, ours is pinned: it may only change on purpose. */
const DECIDED = new Map<string, z.infer<typeof expectation>>([
  ['u104', 'bad_request'], // user names are refused before the address is looked at (G46)
  ['u105', 'bad_request'],
  ['u106', 'bad_request'],
  ['u112', 'bad_request'],
  ['u448', 'allowed_public'], // an unknown top-level name does not resolve, which is 'unreachable'
  ['u527', 'bad_request'], // control characters are refused, not dropped
  ['u529', 'bad_request'],
  ['u530', 'bad_request'],
  ['u532', 'bad_request'],
  ['u689', 'bad_request'],
]);

describe('URL corpus', () => {
  it.each(cases.map((entry) => [entry.id, entry.why, entry] as const))('%s: %s', (id, _, entry) => {
    const decided = decide(entry);
    expect([entry.expect, ...entry.also_ok]).toContain(decided);
    expect(decided).toBe(DECIDED.get(id) ?? entry.expect);
  });

  it('is run nearly whole', () => {
    expect(cases.length).toBe(361);
  });
});

describe('a URL of the corpus in public', () => {
  const published = cases.filter((entry) => entry.must_not_leak.length + entry.must_escape.length > 0);

  it.each(published.map((entry) => [entry.id, entry] as const))('%s', (_, entry) => {
    const reading = parseTargetUrl(entry.url);
    const shown = reading.kind === 'target' ? redactUrl(reading.target.href) : JSON.stringify(reading);
    for (const secret of [...entry.must_not_leak, ...entry.must_escape]) expect(shown).not.toContain(secret);
  });
});
