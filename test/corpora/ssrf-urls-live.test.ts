import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resolution } from '../../src/adapters/probe/resolve.ts';
import { parseTargetUrl } from '../../src/core/url/target-url.ts';
import { type FakeSeller, httpAnswer, startSeller } from '../support/probing/fake-seller.ts';
import { PUBLIC_ADDRESS, probingHarness } from '../support/probing/probing.ts';
import { decided, urlCorpus, type Zone } from './url-corpus.ts';

/** The same corpus through the real prober: what is blocked is neither looked up beyond once nor ever dialled. */
let seller: FakeSeller;
beforeAll(async () => {
  seller = await startSeller((socket) => socket.end(httpAnswer(402, [], '{}')));
});
afterAll(() => seller.close());

/** Answers from the case's zone; a sequence gives the next answer to every further question. */
function stubResolver(zone: Zone | undefined) {
  let questions = 0;
  return async (): Promise<Resolution> => {
    questions += 1;
    if (zone?.timeout === true) return new Promise(() => undefined);
    if (zone?.rcode === 'NXDOMAIN') return { kind: 'not_found' };
    if (zone?.rcode !== undefined) return { kind: 'failed' };
    const { A = [], AAAA = [] } = zone?.sequence?.[questions - 1] ?? zone ?? { A: [PUBLIC_ADDRESS] };
    return { kind: 'addresses', addresses: [...A, ...AAAA] };
  };
}

const targets = urlCorpus().flatMap((entry) => {
  const reading = parseTargetUrl(entry.url);
  return reading.kind === 'target' ? [[entry.id, entry.why, entry, reading.target] as const] : [];
});

describe('URL corpus through the real prober', () => {
  it.concurrent.each(targets)('%s: %s', async (_id, _why, entry, target) => {
    const { prober, dialled, asked } = probingHarness(seller.port, {
      resolve: stubResolver(entry.dns),
      // What is blocked never waits. The rest may run into it and is still not blocked.
      timeoutMs: decided(entry) === 'blocked' ? 30_000 : 200,
    });
    const { kind } = await prober.probe({ target, method: 'GET' });
    expect(kind === 'blocked' ? 'blocked' : 'allowed_public').toBe(decided(entry));
    expect(asked.length).toBeLessThanOrEqual(1);
    if (kind === 'blocked') expect(dialled).toEqual([]);
    for (const address of entry.must_not_dial) expect(dialled).not.toContain(address);
  });
});
