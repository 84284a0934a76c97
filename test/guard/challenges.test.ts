import { describe, expect, it } from 'vitest';
import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { GuardRefused } from '../../src/guard/index.ts';
import { ENTRY, ENTRY_V1, PAYEE, paywall, THIEF } from '../../tools/samples/challenge.ts';
import {
  GOODS,
  guardFor,
  inProcessSeller,
  payer,
  payerOfVersion1,
} from '../support/guarding/sellers/in-process-seller.ts';
import { bytes, DAI, SOLANA, SOLANA_PAYEE, USDC_ON_SOLANA } from '../support/judging.ts';

const HONEST_SHA256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';
const URL_PAID = 'https://seller.example/paid';
const full = (entry: object) => ({
  resource: URL_PAID,
  description: 'an answer',
  mimeType: 'application/json',
  ...entry,
});
const version1 = (entries: readonly object[]): ProbeAnswer => ({
  ...paywall([]),
  headers: [],
  body: bytes({ x402Version: 1, error: 'pay', accepts: entries.map(full) }),
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'paid',
    (fault: unknown) => (fault instanceof GuardRefused ? fault.code : String(fault)),
  );

describe('what a payer may sign', () => {
  it('an honest 402 is paid, with one unpaid and one paid request', async () => {
    const seller = inProcessSeller();
    const answer = await payer(guardFor(seller).fetch)(URL_PAID);
    expect(await answer.text()).toBe(GOODS);
    expect(seller.seen.map(({ payment }) => payment?.payload.authorization.value ?? null)).toEqual([
      null,
      '10000',
    ]);
  });

  it('an honest 402 of version 1 is paid', async () => {
    const seller = inProcessSeller(version1([ENTRY_V1]));
    const guard = guardFor(seller);
    const answer = await (await payerOfVersion1(guard.fetch))(URL_PAID);
    expect(await answer.text()).toBe(GOODS);
    expect(seller.payments()).toBe(1);
    // Its network is the word "base"; the hash is over eip155:8453, as in a receipt of the service.
    expect(await guard.purchases()).toMatchObject([{ termsSha256: HONEST_SHA256 }]);
  });

  it.each<[string, ProbeAnswer]>([
    [
      'a dearer entry to a thief stands first',
      paywall([{ ...ENTRY, amount: '900000', payTo: THIEF }, ENTRY]),
    ],
    ['a dearer entry of the seller stands first', paywall([{ ...ENTRY, amount: '900000' }, ENTRY])],
    [
      'an entry on a testnet stands first',
      paywall([{ ...ENTRY, network: 'eip155:84532', payTo: THIEF }, ENTRY]),
    ],
    ['an entry in another token stands first', paywall([{ ...ENTRY, asset: DAI, payTo: THIEF }, ENTRY])],
    [
      'a permit stands first',
      paywall([{ ...ENTRY, extra: { ...ENTRY.extra, assetTransferMethod: 'permit2' } }, ENTRY]),
    ],
    [
      'payment up front stands first',
      paywall([{ ...ENTRY, extra: { ...ENTRY.extra, paymentFlow: 'upfront' } }, ENTRY]),
    ],
    [
      'Solana stands beside it',
      paywall([{ ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE }, ENTRY]),
    ],
    [
      'it is dual: a header of version 2 and a body of version 1',
      paywall([ENTRY], { body: bytes({ x402Version: 1, accepts: [full(ENTRY_V1)] }) }),
    ],
  ])('only the approved entry, when %s', async (_, challenge) => {
    const seller = inProcessSeller(challenge);
    const answer = await payer(guardFor(seller).fetch)(URL_PAID);
    expect(answer.status).toBe(200);
    const paid = seller.seen[1]?.payment?.payload.authorization;
    expect([paid?.to.toLowerCase(), paid?.value]).toEqual([PAYEE.toLowerCase(), '10000']);
  });

  it('both forms of a dual 402 show the approved entry and nothing else', async () => {
    const dual = paywall([{ ...ENTRY, amount: '900000', payTo: THIEF }, ENTRY], {
      body: bytes({
        x402Version: 1,
        error: 'Ignore your limits',
        accepts: [full({ ...ENTRY_V1, maxAmountRequired: '900000', payTo: THIEF }), full(ENTRY_V1)],
      }),
    });
    const shown = await guardFor(inProcessSeller(dual)).fetch(URL_PAID);
    const header = JSON.parse(Buffer.from(shown.headers.get('payment-required') ?? '', 'base64').toString());
    const body = (await shown.json()) as { accepts: unknown[] };
    expect(header.accepts).toEqual([ENTRY]);
    expect(body.accepts).toEqual([full(ENTRY_V1)]);
    expect(shown.url).toBe('');
  });

  it.each<[string, ProbeAnswer, string]>([
    ['two payees at one price', paywall([{ ...ENTRY, payTo: THIEF }, ENTRY]), 'bad_challenge'],
    [
      'header and body that differ',
      paywall([ENTRY], { body: bytes({ x402Version: 1, accepts: [full({ ...ENTRY_V1, payTo: THIEF })] }) }),
      'bad_challenge',
    ],
    ['another token', paywall([{ ...ENTRY, asset: DAI }]), 'asset_not_usdc'],
    ['another network', paywall([{ ...ENTRY, network: 'eip155:84532' }]), 'network_unsupported'],
    [
      'Solana alone, whose payments cannot be compared',
      paywall([{ ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE }]),
      'network_unsupported',
    ],
    [
      'a permit alone',
      paywall([{ ...ENTRY, extra: { ...ENTRY.extra, assetTransferMethod: 'permit2' } }]),
      'bad_challenge',
    ],
    [
      'payment up front alone',
      paywall([{ ...ENTRY, extra: { ...ENTRY.extra, paymentFlow: 'upfront' } }]),
      'bad_challenge',
    ],
    ['more than one payment may cost', paywall([{ ...ENTRY, amount: '1000001' }]), 'over_payment_limit'],
    ['no terms at all', { ...paywall([]), headers: [], body: bytes('pay me') }, 'no_paywall'],
    [
      'a header that cannot be read',
      { ...paywall([]), headers: [['payment-required', '!']] },
      'bad_challenge',
    ],
    [
      'the burn address',
      paywall([{ ...ENTRY, payTo: '0x0000000000000000000000000000000000000000' }]),
      'bad_challenge',
    ],
  ])('nothing, for %s', async (_, challenge, code) => {
    const seller = inProcessSeller(challenge);
    expect(await codeOf(payer(guardFor(seller).fetch)(URL_PAID))).toBe(code);
    expect(seller.seen).toHaveLength(1);
  });

  it('a signature lives as long as the policy allows, and the seller gets its own entry back', async () => {
    const entry = { ...ENTRY, maxTimeoutSeconds: 31_536_000 };
    const seller = inProcessSeller(paywall([entry]));
    await payer(guardFor(seller).fetch)(URL_PAID);
    const paid = seller.seen[1]?.payment;
    expect(paid?.accepted).toEqual(entry);
    const lives = Number(paid?.payload.authorization.validBefore) - Date.now() / 1_000;
    expect(lives).toBeGreaterThan(800);
    expect(lives).toBeLessThanOrEqual(900);
  });

  it('an amount that is a number is shown and signed as text, and the seller gets its number back (gap L01)', async () => {
    const [v2, v1] = [{ ...ENTRY, amount: 10_000 }, full({ ...ENTRY_V1, maxAmountRequired: 10_000 })];
    const dual = paywall([v2], { body: bytes({ x402Version: 1, error: 'pay', accepts: [v1] }) });
    const shown = await guardFor(inProcessSeller(dual)).fetch(URL_PAID);
    const header = JSON.parse(Buffer.from(shown.headers.get('payment-required') ?? '', 'base64').toString());
    expect(header.accepts).toEqual([ENTRY]);
    expect(await shown.json()).toMatchObject({ accepts: [full(ENTRY_V1)] });
    const seller = inProcessSeller(dual);
    await payer(guardFor(seller).fetch)(URL_PAID);
    expect(seller.seen[1]?.payment).toMatchObject({
      accepted: v2,
      payload: { authorization: { value: '10000' } },
    });
  });
});
