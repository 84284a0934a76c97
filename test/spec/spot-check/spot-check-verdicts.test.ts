import { describe, expect, it } from 'vitest';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { checkOf, EXEMPT, useService } from '../../support/asking.ts';
import { oddSeller } from '../../support/probing/odd-seller.ts';
import { DOORS } from '../../support/running/running-service.ts';

type Parameters = Record<string, string>;

const AT = { claimed_price: '0.01' };
const TO = { pay_to: PAYEE };
const lower = { pay_to: PAYEE.toLowerCase() };

describe.each(DOORS)('verdicts of the spot-check through the %s', (door) => {
  const service = useService({
    door,
    seller: oddSeller,
    timeoutMs: 3_000,
    settings: { PROBES_PER_HOST_MINUTE: '1000' },
  });

  it.each<[string, string, Parameters, string, string]>([
    ['it matches what was claimed', 'honest', AT, 'pay', 'price_ok'],
    ['nothing was claimed', 'honest', {}, 'pay', 'price_ok'],
    ['the claim differs below a micro-USD', 'honest', { claimed_price: '0.0100004' }, 'pay', 'price_ok'],
    ['the payee is written in other letters', 'honest', lower, 'pay', 'price_ok'],
    ['an absurd price was claimed (G37)', 'absurd', { claimed_price: '10.000001' }, 'pay', 'price_ok'],
    ['it asks the most that is plausible', 'ten', {}, 'pay', 'price_ok'],
    ['one entry of many fits (G35)', 'many', AT, 'pay', 'price_ok'],
    ['a client could sign a dearer entry (G95)', 'two-prices', AT, 'skip', 'bad_challenge'],
    ['a client could pay somebody else (G95)', 'two-payees', { ...AT, ...TO }, 'skip', 'bad_challenge'],
    ['it wants a signature for more than a day (G96)', 'longer', AT, 'skip', 'bad_challenge'],
    ['it wants a permit instead of a transfer (G96)', 'permit', AT, 'skip', 'bad_challenge'],
    ['it is version 1 in the body', 'v1-body', { network: 'base' }, 'pay', 'price_ok'],
    ['it redirects within its host (G45)', 'moves', {}, 'pay', 'price_ok'],
    ['its free trial is over (G41)', 'over', {}, 'pay', 'price_ok'],
    ['it asks more', 'dear', AT, 'skip', 'price_mismatch'],
    ['it asks less', 'honest', { claimed_price: '0.010001' }, 'skip', 'price_mismatch'],
    ['it was said to be free', 'honest', { claimed_price: '0' }, 'skip', 'price_mismatch'],
    ['it is on another network', 'honest', { network: 'eip155:1' }, 'skip', 'network_mismatch'],
    ['it pays somebody else', 'thief', TO, 'skip', 'pay_to_mismatch'],
    ['payee and price are wrong (G36)', 'thief', { ...TO, claimed_price: '9' }, 'skip', 'pay_to_mismatch'],
    ['a trial would hide a thief (G41)', 'hidden', TO, 'skip', 'pay_to_mismatch'],
    ['it asks for another token', 'other-token', {}, 'skip', 'asset_not_usdc'],
    ['it is on a test network', 'testnet', {}, 'skip', 'network_unsupported'],
    ['that was expected', 'testnet', { network: 'eip155:84532' }, 'skip', 'network_unsupported'],
    ['it asks for nothing', 'no-paywall', {}, 'skip', 'no_paywall'],
    ['it is not there', 'nothing-here', {}, 'skip', 'no_paywall'],
    ['its 402 has no terms (G34)', 'bare-402', {}, 'skip', 'no_paywall'],
    ['it redirects elsewhere (G45)', 'moved', {}, 'skip', 'no_paywall'],
    ['its terms cannot be read', 'broken', {}, 'skip', 'bad_challenge'],
    ['it offers nothing to accept (G34)', 'empty-accepts', {}, 'skip', 'bad_challenge'],
    ['it has two headers (G33)', 'two-headers', {}, 'skip', 'bad_challenge'],
    ['header and body disagree (G33)', 'header-and-body', {}, 'skip', 'bad_challenge'],
    ['it is not exact (G35)', 'upto', {}, 'skip', 'bad_challenge'],
    ['its terms are over (G44)', 'until-noon', {}, 'skip', 'bad_challenge'],
    ['it asks an amount of nothing (G37)', 'free', {}, 'skip', 'bad_challenge'],
    ['it asks more than is plausible (G37)', 'absurd', {}, 'skip', 'bad_challenge'],
    ['it has only words for us (G49)', 'shouting', {}, 'skip', 'bad_challenge'],
    ['it gives calls away (G41)', 'trial', {}, 'recheck', 'free_trial_active'],
    ['it gives calls away without terms', 'trial-only', {}, 'recheck', 'free_trial_active'],
    ['it does not answer', 'slow', {}, 'recheck', 'timeout'],
    ['it answers 5xx', 'down', {}, 'recheck', 'server_error'],
    ['it answers 5xx during a trial (G41)', 'down-trial', {}, 'recheck', 'server_error'],
    ['the connection breaks', 'reset', {}, 'recheck', 'unreachable'],
  ])('when %s', async (_, path, parameters, verdict, reason) => {
    const target = `http://seller.example/${path}`;
    const { status, json } = await service.ask(checkOf(target, parameters), { headers: EXEMPT });
    expect([status, json.verdict, json.reason]).toEqual([200, verdict, reason]);
    expect(json.payment === null).toBe(verdict !== 'pay');
    expect(json.payment_terms_sha256 === null).toBe(verdict !== 'pay');
  });

  it.each<[string, string, Parameters]>([
    ['The live 402 asks $0.01 in USDC on eip155:8453, as expected.', 'honest', AT],
    [
      'The live 402 asks $0.01 in USDC on eip155:8453; no claimed or listed price to compare with. Send claimed_price to compare. Nothing was listed or claimed to compare with the price and payee of the live 402.',
      'honest',
      {},
    ],
    ['The live 402 asks $1, more than the expected $0.01.', 'dear', AT],
    ['The live 402 asks $0.01, less than the expected $0.010001.', 'honest', { claimed_price: '0.010001' }],
    [
      'The live 402 does not offer the expected network eip155:1; it offers eip155:8453.',
      'honest',
      { network: 'eip155:1' },
    ],
    ['The payee of the live 402 is not the expected payee.', 'thief', TO],
    ['The live 402 asks for a token other than the canonical USDC on eip155:8453.', 'other-token', {}],
    ['The live 402 asks for payment on eip155:84532, which is not a supported mainnet.', 'testnet', {}],
    ['The endpoint answered HTTP 200 without asking for payment.', 'no-paywall', {}],
    ['The endpoint answered HTTP 302 and redirects elsewhere; check the new address instead.', 'moved', {}],
    ['The live 402 carries payment terms that cannot be read.', 'shouting', {}],
    ['The endpoint announces a free trial (3 calls left); check again when it is over.', 'trial', {}],
    ['The endpoint did not answer within 5 seconds; check again later.', 'slow', {}],
    ['The endpoint answered HTTP 503; check again later.', 'down', {}],
  ])('in plain words of our own for the free shape (G49): %s', async (sentence, path, parameters) => {
    const { json } = await service.ask(checkOf(`http://seller.example/${path}`, parameters));
    expect(json.reason).toBe(sentence);
  });
});
