import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Reason } from '../../core/verdict/verdict.ts';
import { after, answering, type Behave, drifting, hangingUp, selling } from './behaviours.ts';
import { convertCurrency, deliverJunk, factorNumber, hashText } from './known-answers.ts';
import { cents, type SaleTerms, STRANGER, usdcOn } from './sale-terms.ts';
import type { Versions } from './seller-challenge.ts';

/** One seller: what is claimed of it, what it really does, and what a check therefore finds. */
export interface Seller {
  readonly name: string;
  /** What it really does, in words. */
  readonly truth: string;
  readonly behave: Behave;
  /** The reason of the verdict, for whoever expects what is claimed. */
  readonly reason: Reason;
  /** What it and the lists say that it sells. */
  readonly about: string;
  readonly claims: SaleTerms;
  readonly method: ProbeMethod;
  readonly versions: Versions;
  /** A question that it has an answer to. */
  readonly example: Readonly<Record<string, string>>;
}

/** Longer than a probe waits. */
const SLOW_MS = 8_000;
/** As long as its buyers have to pay: then a check looks again. */
export const DRIFT_MS = 10_000;

const FAIR = cents(1n);
const DEAR = cents(5n);
const HURRIED = { ...FAIR, seconds: DRIFT_MS / 1_000 };
const POLYGON = { network: 'eip155:137', asset: usdcOn('eip155:137') };
const BASE_SEPOLIA = { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' };
const EURO_COIN = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
const TRIAL = { 'x-free-trial': 'true', 'x-free-trial-remaining': '3' };
const GARBLED = { 'payment-required': '{not base64}' };

type Row = Pick<Seller, 'name' | 'reason' | 'truth' | 'behave'> & Partial<Seller>;

/** Made anew for every sandbox, because one of them remembers. */
export function sellerTable(): readonly Seller[] {
  return [...checked(), ...delivering()].map((row) => ({
    about: 'Gives a small JSON document.',
    claims: FAIR,
    method: 'GET',
    versions: 'v2',
    example: {},
    ...row,
  }));
}

/** Sellers for every verdict. They deliver, too, if somebody pays what they ask. */
function checked(): Row[] {
  return [
    {
      name: 'honest',
      reason: 'price_ok',
      truth: 'asks for the same in both versions of x402',
      behave: selling(FAIR),
      versions: 'both',
    },
    {
      name: 'honest-v1',
      reason: 'price_ok',
      truth: 'asks in the body, as version 1 has it',
      behave: selling(FAIR),
      versions: 'v1',
    },
    {
      name: 'honest-v2',
      reason: 'price_ok',
      truth: 'asks in a header, as version 2 has it',
      behave: selling(FAIR),
    },
    {
      name: 'raised-price',
      reason: 'price_mismatch',
      truth: 'asks for five times the listed price',
      behave: selling(DEAR),
    },
    {
      name: 'swapped-payee',
      reason: 'pay_to_mismatch',
      truth: "sends the money to a stranger's account",
      behave: selling({ ...FAIR, payTo: STRANGER }),
    },
    {
      name: 'wrong-network',
      reason: 'network_mismatch',
      truth: 'is listed on Base and asks on Polygon',
      behave: selling({ ...FAIR, ...POLYGON }),
    },
    {
      name: 'testnet',
      reason: 'network_unsupported',
      truth: 'is listed on a test network, and asks there',
      behave: selling({ ...FAIR, ...BASE_SEPOLIA }),
      claims: { ...FAIR, ...BASE_SEPOLIA },
    },
    {
      name: 'other-token',
      reason: 'asset_not_usdc',
      truth: 'asks for euro coins',
      behave: selling({ ...FAIR, asset: EURO_COIN }),
    },
    {
      name: 'no-paywall',
      reason: 'no_paywall',
      truth: 'has a listed price and asks for nothing',
      behave: answering(200),
    },
    {
      name: 'free-trial',
      reason: 'free_trial_active',
      truth: 'gives its first calls away',
      behave: answering(200, TRIAL),
    },
    {
      name: 'slow',
      reason: 'timeout',
      truth: 'answers after eight seconds',
      behave: after(SLOW_MS, selling(FAIR)),
    },
    { name: 'server-error', reason: 'server_error', truth: 'is out of order', behave: answering(503) },
    {
      name: 'malformed',
      reason: 'bad_challenge',
      truth: 'asks in a way that nobody can read',
      behave: answering(402, GARBLED),
    },
    { name: 'gone', reason: 'unreachable', truth: 'hangs up', behave: hangingUp },
    {
      name: 'drifting',
      reason: 'price_ok',
      truth: 'is honest for ten seconds after its first call; then it asks for five times the price',
      behave: drifting(DRIFT_MS, selling(HURRIED), selling({ ...HURRIED, amount: DEAR.amount })),
      claims: HURRIED,
    },
  ];
}

/** Three sellers whose answers anybody can grade, and one whose answers are worth nothing. */
function delivering(): Row[] {
  const hashing = { about: 'Gives the SHA-256 of a text.', claims: cents(1n), example: { text: 'hello' } };
  return [
    {
      name: 'currency',
      reason: 'price_ok',
      truth: 'converts amounts, at rates that never change',
      about: 'Converts an amount of money.',
      behave: selling(cents(2n), convertCurrency),
      claims: cents(2n),
      example: { amount: '100', from: 'USD', to: 'EUR' },
    },
    {
      ...hashing,
      name: 'hash',
      reason: 'price_ok',
      truth: 'gives the SHA-256 of a text',
      behave: selling(hashing.claims, hashText),
      method: 'POST',
    },
    {
      name: 'factors',
      reason: 'price_ok',
      truth: 'gives the prime factors of a number',
      about: 'Gives the prime factors of a number.',
      behave: selling(cents(3n), factorNumber),
      claims: cents(3n),
      example: { n: '360' },
    },
    {
      ...hashing,
      name: 'junk',
      reason: 'price_ok',
      truth: 'takes the money for a SHA-256 and delivers junk',
      behave: selling(hashing.claims, deliverJunk),
    },
  ];
}
