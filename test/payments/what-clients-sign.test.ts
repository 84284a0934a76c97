import { describe, expect, it } from 'vitest';
import { BASE, PAYEE } from '../../tools/samples/challenge.ts';
import { LISTED } from '../../tools/samples/listed.ts';
import { CLIENTS, signedBy } from '../support/clients/signing-clients.ts';
import { NOTHING, verdictOf } from '../support/judging.ts';
import { HONEST, HOSTILE } from '../support/stock-challenges.ts';

describe('what stock clients sign (G95, G96)', () => {
  it.each(HOSTILE)('is not approved: %s', async (_, answer) => {
    for (const claim of [LISTED, NOTHING]) {
      expect(verdictOf(answer, claim)).toMatchObject({ verdict: 'skip', reason: 'bad_challenge' });
    }
  });

  it.each(HONEST)('is what was approved: %s', async (_, answer) => {
    const verdict = verdictOf(answer);
    if (verdict.verdict !== 'pay') throw new Error(JSON.stringify(verdict, (_key, v) => String(v)));
    expect(verdict.terms).toMatchObject({ network: BASE, payTo: PAYEE, amountAtomic: 10_000n });
    const signed = (await Promise.all(CLIENTS.map((client) => signedBy(client, answer)))).filter(
      (one) => one !== null,
    );
    expect(signed.length).toBeGreaterThan(0);
    for (const one of signed) {
      if (one === 'other') throw new Error('another kind of payment was signed');
      expect([one.to.toLowerCase(), one.value]).toEqual([PAYEE.toLowerCase(), '10000']);
      expect(one.seconds).toBeLessThanOrEqual(verdict.terms.maxTimeoutSeconds ?? 0);
    }
  });

  it('would be something else for the hostile ones: the clients do sign them', async () => {
    const signed = await Promise.all(
      HOSTILE.flatMap(([, answer]) => CLIENTS.map((client) => signedBy(client, answer))),
    );
    const wrong = signed.filter(
      (one) =>
        one !== null &&
        (one === 'other' || one.to !== PAYEE || one.value !== '10000' || one.seconds > 86_400),
    );
    expect(wrong.length).toBeGreaterThanOrEqual(30);
  });
});
