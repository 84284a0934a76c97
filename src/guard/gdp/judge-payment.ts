import { type MicroUsd, microUsd, parseUsdNumber } from '../../core/money/micro-usd.ts';
import { isNonEmpty } from '../../core/non-empty.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import { encodeBase64Text } from '../../core/x402/base64.ts';
import { isJsonObject, member } from '../../core/x402/read-json.ts';
import {
  type Approvable,
  approveEntries,
  refuseContradiction,
  type Standard,
} from '../challenge/approve-entries.ts';
import { GuardRefused } from '../guard-refused.ts';
import { isAllowedHost } from '../policy.ts';
import { advertisedPrice } from './advertised-price.ts';
import type { GdpPayment } from './gdp-message.ts';
import { GDP_NETWORKS } from './gdp-networks.ts';
import { type Approval, type GdpPolicy, type GdpState, LIFE_MAX_SECONDS } from './gdp-state.ts';
import { paidHost } from './paid-host.ts';

export interface PaymentContext {
  readonly policy: GdpPolicy;
  readonly signed: readonly Approval[];
  readonly prices: GdpState['prices'];
  readonly now: Date;
}

const PRICES_MAX = 1_000;

/** The prices after the page that led to this 402. */
export function pricesAfter(
  prices: GdpState['prices'],
  { request, referrer }: GdpPayment,
): GdpState['prices'] {
  const url = urlOf(request.url);
  const price = url === null ? null : advertisedPrice(referrer?.text ?? '', url);
  if (url === null || price === null || prices.size >= PRICES_MAX) return prices;
  const known = prices.get(withoutFragment(url));
  return known !== undefined && known <= price ? prices : new Map([...prices, [withoutFragment(url), price]]);
}

/** One payment that was made before. */
interface Bought {
  readonly url: string;
  readonly host: string | null;
  readonly payTo: string;
  readonly amount: MicroUsd;
}

/** Decides about a 402 as the guard does, and names the entry to pay. Throws a GuardRefused. */
export function judgePayment(
  payment: GdpPayment,
  { policy, signed, prices, now }: PaymentContext,
): { readonly acceptIndex: number; readonly approval: Approval } {
  const url = urlOf(payment.request.url);
  const host = url === null ? null : paidHost(url, policy.hostMode);
  if (url === null || host === null || !isAllowedHost(host, policy.hosts)) {
    throw new GuardRefused('host_not_allowed');
  }
  const bought = boughtBefore(payment, policy);
  const request = withoutFragment(url);
  if ([...bought, ...signed].some((one) => one.url === request)) throw new GuardRefused('bought_already');
  const left = leftOf(policy.budget, [bought, signed]);
  const price = prices.get(request) ?? left;
  const standard: Standard = {
    expected: { price: null, payTo: null, network: policy.network, source: 'request' },
    networks: GDP_NETWORKS,
    lifeMaxSeconds: LIFE_MAX_SECONDS,
    max: price < left ? price : left,
    now,
  };
  const { seen, candidates } = approvable(payment, standard, left);
  const payees = [...bought, ...signed].filter((one) => one.host === host).map(({ payTo }) => payTo);
  const known = candidates.filter(({ terms }) => payees.every((payee) => isSameAddress(payee, terms.payTo)));
  if (!isNonEmpty(known)) throw new GuardRefused('terms_changed');
  refuseContradiction(seen, known, standard);
  const [{ entry, terms }] = known;
  const text = JSON.stringify(entry);
  const acceptIndex = payment.challenge.accepts.findIndex((one) => JSON.stringify(one) === text);
  if (acceptIndex === -1) throw new GuardRefused('bad_challenge');
  const { network, asset, payTo, amountAtomic: amount } = terms;
  return { acceptIndex, approval: { url: request, host, network, asset, payTo, amount } };
}

function approvable({ challenge }: GdpPayment, standard: Standard, left: MicroUsd): Approvable {
  // Here nobody can shorten what the payer will sign, so what lives too long is left out instead of clamped.
  const brief = challenge.accepts.filter((entry) => !livesTooLong(entry));
  if (brief.length === 0 && challenge.accepts.length > 0) {
    throw new GuardRefused('bad_challenge', {
      words: `The signature would be valid for more than ${LIFE_MAX_SECONDS} seconds.`,
    });
  }
  try {
    return approveEntries(answerWith(brief, challenge.raw_body), standard);
  } catch (fault) {
    if (!(fault instanceof GuardRefused) || fault.code !== 'over_payment_limit') throw fault;
    if (standard.max === left) throw new GuardRefused('over_task_limit');
    throw new GuardRefused('price_mismatch', {
      words: 'The live 402 asks more than the page that led to it says.',
    });
  }
}

function livesTooLong(entry: unknown): boolean {
  if (!isJsonObject(entry) || !String(member(entry, 'network')).startsWith('eip155:')) return false;
  const seconds = member(entry, 'maxTimeoutSeconds');
  return typeof seconds === 'number' && seconds > LIFE_MAX_SECONDS;
}

/** The 402 that the driver has read, in the form in which the rules read it. */
function answerWith(accepts: readonly unknown[], rawBody: unknown): ProbeAnswer {
  const header = encodeBase64Text(JSON.stringify({ x402Version: 2, accepts }));
  const body = typeof rawBody === 'string' ? rawBody : JSON.stringify(rawBody ?? '');
  return {
    kind: 'answered',
    status: 402,
    headers: [['payment-required', header]],
    body: new TextEncoder().encode(body),
    bodyComplete: true,
  };
}

function boughtBefore({ history }: GdpPayment, { hostMode }: GdpPolicy): readonly Bought[] {
  return history.map(({ url: text, amount_usd, pay_to }) => {
    const [url, amount] = [urlOf(text), parseUsdNumber(amount_usd)];
    if (url === null || amount === null) throw new GuardRefused('over_task_limit');
    return { url: withoutFragment(url), host: paidHost(url, hostMode), payTo: pay_to, amount };
  });
}

/** By whichever count is higher: that of the driver or that of the signatures. */
function leftOf(budget: MicroUsd, counts: readonly (readonly { readonly amount: MicroUsd }[])[]): MicroUsd {
  const sums = counts.map((count) => count.reduce((sum, { amount }) => sum + amount, 0n));
  const spent = sums.reduce((most, sum) => (sum > most ? sum : most), 0n);
  return microUsd(spent < budget ? budget - spent : 0n);
}

/** At the signature once more: several may have been approved before the first was signed. */
export function refuseUnaffordable(
  { amount }: Approval,
  signed: readonly Approval[],
  { budget }: GdpPolicy,
): void {
  if (amount > leftOf(budget, [signed])) throw new GuardRefused('over_task_limit');
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function withoutFragment({ href, hash }: URL): string {
  return hash === '' ? href : href.slice(0, -hash.length);
}
