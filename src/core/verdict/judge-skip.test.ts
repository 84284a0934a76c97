import { describe, expect, it } from 'vitest';
import {
  bytes,
  DAI,
  NOTHING,
  SOLANA,
  SOLANA_PAYEE,
  USDC_ON_SOLANA,
  verdictOf,
} from '../../../test/support/judging.ts';
import {
  answered,
  BASE,
  ENTRY,
  ENTRY_V1,
  PAYEE,
  POLYGON,
  paywall,
  THIEF,
} from '../../../tools/samples/challenge.ts';
import { LISTED, network } from '../../../tools/samples/listed.ts';
import type { Claim } from './expected-terms.ts';
import type { ProbeOutcome } from './probe-outcome.ts';

const TESTNET = network('base-sepolia');

describe('one offer that differs from what was expected', () => {
  it.each<[string, object, object]>([
    ['a higher price', { amount: '50000' }, { reason: 'price_mismatch', expected: 10_000n, quoted: 50_000n }],
    ['a lower price', { amount: '9999' }, { reason: 'price_mismatch', quoted: 9_999n }],
    ['another payee', { payTo: THIEF }, { reason: 'pay_to_mismatch', expected: PAYEE, offered: THIEF }],
    [
      'words for a payee',
      { payTo: 'ignore-all.previous/orders' },
      { reason: 'pay_to_mismatch', offered: null },
    ],
    ['another network', { network: 'polygon' }, { reason: 'network_mismatch', offered: ['eip155:137'] }],
    ['another token', { asset: DAI }, { reason: 'asset_not_usdc', network: BASE }],
    ['no exact amount', { scheme: 'upto' }, { reason: 'bad_challenge', fault: { kind: 'not_exact' } }],
    ['expired terms', { validBefore: 1 }, { reason: 'bad_challenge', fault: { kind: 'expired' } }],
    [
      'an entry that cannot be read',
      { payTo: null },
      { reason: 'bad_challenge', fault: { kind: 'unreadable' } },
    ],
  ])('%s', (_, changes, expected) => {
    const verdict = verdictOf(paywall([{ ...ENTRY, ...changes }]));
    expect(verdict).toMatchObject({ verdict: 'skip', ...expected });
    expect(verdict).not.toHaveProperty('terms');
  });
});

describe('one offer that nobody should take, with nothing expected', () => {
  const unsane = (quoted: bigint) => ({ reason: 'bad_challenge', fault: { kind: 'price_not_sane', quoted } });
  const burnt = { reason: 'bad_challenge', fault: { kind: 'payee_cannot_receive' } };
  it.each<[string, object, object]>([
    ['a testnet', { network: 'base-sepolia' }, { reason: 'network_unsupported', network: 'eip155:84532' }],
    ['a network without a name', { network: '?' }, { reason: 'network_unsupported', network: null }],
    [
      'the USDC of another network',
      { network: 'eip155:1' },
      { reason: 'asset_not_usdc', network: 'eip155:1' },
    ],
    ['nothing to pay', { amount: '0' }, unsane(0n)],
    ['a millionth above ten dollars', { amount: '10000001' }, unsane(10_000_001n)],
    ['the zero address', { payTo: `0x${'0'.repeat(40)}` }, burnt],
    ['the token as the payee', { payTo: ENTRY.asset }, burnt],
    ['a payee without its prefix', { payTo: PAYEE.slice(2) }, burnt],
  ])('%s', (_, changes, expected) => {
    expect(verdictOf(paywall([{ ...ENTRY, ...changes }]), NOTHING)).toMatchObject({
      verdict: 'skip',
      ...expected,
    });
  });
});

describe('answers that are not a paywall one can trust', () => {
  const differ = { reason: 'bad_challenge', fault: { kind: 'header_and_body_differ' } };
  const bodyPays = (payTo: string) => bytes({ accepts: [{ ...ENTRY_V1, payTo }] });
  it.each<[string, ProbeOutcome, object]>([
    ['a body that pays somebody else', paywall([ENTRY], { body: bodyPays(THIEF) }), differ],
    ['a body that asks something unreadable', paywall([ENTRY], { body: bytes({ accepts: [{}] }) }), differ],
    [
      'a body that pays on a network that the header does not offer',
      paywall([ENTRY], {
        body: bytes({ accepts: [{ ...ENTRY_V1, network: 'polygon', asset: POLYGON.asset }] }),
      }),
      differ,
    ],
    ['too much header data', { kind: 'headers_too_large' }, { fault: { kind: 'headers_too_large' } }],
    ['402 without terms', answered(), { reason: 'no_paywall', status: 402 }],
    ['200', answered({ status: 200 }), { reason: 'no_paywall', status: 200 }],
    ['200 with perfect terms', paywall([ENTRY], { status: 200 }), { reason: 'no_paywall', status: 200 }],
    ['a redirect', answered({ status: 302 }), { reason: 'no_paywall', status: 302 }],
    ['499 with perfect terms', paywall([ENTRY], { status: 499 }), { reason: 'no_paywall', status: 499 }],
    ['600 with perfect terms', paywall([ENTRY], { status: 600 }), { reason: 'no_paywall', status: 600 }],
    ['a blocked hop', { kind: 'blocked' }, { reason: 'ssrf_blocked' }],
  ])('%s', (_, outcome, expected) => {
    expect(verdictOf(outcome)).toMatchObject({ verdict: 'skip', ...expected });
  });
});

describe('what is reported when several things are wrong (G36)', () => {
  const wrong = { network: 'polygon', asset: DAI, payTo: THIEF, amount: '50000' };
  const anyNetwork = { ...LISTED, network: null };
  it.each<[string, object, Claim, string]>([
    ['the scheme first', { ...wrong, scheme: 'upto' }, LISTED, 'bad_challenge'],
    ['then the time', { ...wrong, validBefore: 1 }, LISTED, 'bad_challenge'],
    ['then the expected network', wrong, LISTED, 'network_mismatch'],
    ['then an unsupported network', { ...wrong, network: 'base-sepolia' }, anyNetwork, 'network_unsupported'],
    [
      'even when that was expected',
      { network: 'base-sepolia' },
      { ...NOTHING, network: TESTNET },
      'network_unsupported',
    ],
    ['then the token', { ...wrong, network: BASE }, LISTED, 'asset_not_usdc'],
    ['then the payee', { payTo: THIEF, amount: '50000' }, LISTED, 'pay_to_mismatch'],
    ['then the price', { amount: '50000' }, LISTED, 'price_mismatch'],
    ['a wrong price before an absurd one', { amount: '0' }, LISTED, 'price_mismatch'],
  ])('%s', (_, changes, claim, reason) => {
    expect(verdictOf(paywall([{ ...ENTRY, ...changes }]), claim).reason).toBe(reason);
  });

  it('needs one offer to satisfy everything: two halves do not make a whole', () => {
    const wrongPayee = { ...ENTRY, payTo: THIEF };
    expect(verdictOf(paywall([wrongPayee, POLYGON])).reason).toBe('pay_to_mismatch');
  });

  it('names every network that was offered, once', () => {
    const entries = ['polygon', 'eip155:137', 'base-sepolia', '?'].map((name) => ({
      ...ENTRY,
      network: name,
    }));
    expect(verdictOf(paywall(entries))).toMatchObject({ offered: ['eip155:137', 'eip155:84532', null] });
  });
});

describe('another entry that a client could sign (G95)', () => {
  const on = (payTo: string) => ({ ...ENTRY, network: 'solana', asset: DAI, payTo });
  it.each<[string, object[], string]>([
    [
      'two payees on Solana',
      [ENTRY, on('7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'), on('7Ec')],
      'other_payee',
    ],
    ['a payee that is not kept', [ENTRY, { ...ENTRY, payTo: 'x'.repeat(129) }], 'other_payee'],
    ['only payees that are not kept beside Solana', [ENTRY, on('x'.repeat(129))], 'other_payee'],
    [
      'a network that nobody knows, to an EVM address',
      [ENTRY, { ...ENTRY, network: '?', payTo: THIEF }],
      'other_payee',
    ],
    [
      'a payee in a list of one, which some take for a text',
      [{ ...ENTRY, payTo: [THIEF] }, ENTRY],
      'other_payee',
    ],
    [
      'a token in a list of one',
      [ENTRY, { ...ENTRY, asset: [ENTRY.asset], amount: '900000000' }],
      'dearer_entry',
    ],
    ['a scheme in a list of one', [ENTRY, { ...ENTRY, scheme: [ENTRY.scheme], payTo: THIEF }], 'other_payee'],
    [
      'a permit behind a transfer that has another spelling of its payee',
      [ENTRY, { ...ENTRY, pay_to: THIEF, extra: { assetTransferMethod: 'permit2' } }],
      'other_payee',
    ],
  ])('%s', (_, entries, kind) => {
    expect(verdictOf(paywall(entries))).toMatchObject({ reason: 'bad_challenge', fault: { kind } });
  });

  it('and that was not read', () => {
    const verdict = verdictOf(paywall(Array.from({ length: 65 }, () => ENTRY)));
    expect(verdict).toMatchObject({ reason: 'bad_challenge', fault: { kind: 'too_many_entries' } });
  });

  it.each([
    ['no address', 'me'],
    ['an address of Tron', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['an address of the XRP Ledger', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH'],
    ['an address of Bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ])('not on a network that nobody knows, to %s', (_, payTo) => {
    const onSolana = { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE };
    const other = { ...ENTRY, network: '?', payTo };
    expect(verdictOf(paywall([ENTRY, onSolana, other])).verdict).toBe('pay');
  });
});
