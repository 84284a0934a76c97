import { describe, expect, it } from 'vitest';
import { blockRule, mayDial, publicWeb } from '../../src/core/url/gate.ts';
import { publicAddresses } from '../../src/core/url/public-address.ts';
import { redactUrl } from '../../src/core/url/redact-url.ts';
import { parseTargetUrl } from '../../src/core/url/target-url.ts';
import { decided, OWN_HOST, type UrlCase, type UrlExpectation, urlCorpus } from './url-corpus.ts';

const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set([OWN_HOST]) });
const cases = urlCorpus();

/** The pure gate; addresses that the corpus's stub resolver would give are judged as well. */
function decide({ url, dns }: UrlCase): UrlExpectation {
  const reading = parseTargetUrl(url);
  if (reading.kind === 'invalid') return 'bad_request';
  if (blockRule(reading.target, policy) !== null) return 'blocked';
  const { A = [], AAAA = [] } = dns?.sequence?.[0] ?? dns ?? {};
  const resolved = [...A, ...AAAA];
  return resolved.length > 0 && !mayDial(resolved, reading.target.port, policy)
    ? 'blocked'
    : 'allowed_public';
}

describe('URL corpus against the gate', () => {
  it.each(cases.map((entry) => [entry.id, entry.why, entry] as const))('%s: %s', (_id, _why, entry) => {
    expect([entry.expect, ...entry.also_ok]).toContain(decide(entry));
    expect(decide(entry)).toBe(decided(entry));
  });

  it('is run nearly whole', () => {
    expect(cases.length).toBe(361);
  });
});

describe('a URL of the corpus in public', () => {
  const published = cases.filter((entry) => entry.must_not_leak.length + entry.must_escape.length > 0);

  it.each(published.map((entry) => [entry.id, entry] as const))('%s', (_, entry) => {
    const reading = parseTargetUrl(entry.url);
    const shown =
      reading.kind === 'target' ? redactUrl(reading.target.href, 'listed') : JSON.stringify(reading);
    for (const secret of [...entry.must_not_leak, ...entry.must_escape]) expect(shown).not.toContain(secret);
  });
});
