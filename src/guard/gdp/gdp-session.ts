import type { z } from 'zod';
import { parseMaxUsdNumber } from '../../core/money/micro-usd.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import { GuardRefused, type RefusalCode } from '../guard-refused.ts';
import {
  type GdpAnswer,
  type GdpPayment,
  type GdpSign,
  type GdpTask,
  gdpHeader,
  gdpHello,
  gdpPayment,
  gdpSign,
} from './gdp-message.ts';
import type { GdpPolicy, GdpState } from './gdp-state.ts';
import { judgePayment, pricesAfter, refuseUnaffordable } from './judge-payment.ts';
import { judgeSignature } from './judge-signature.ts';

export interface GdpStep {
  readonly state: GdpState;
  /** Null where the protocol has no answer: a message without an id. */
  readonly answer: GdpAnswer | null;
}

/** Approvals that wait for their signature. */
const APPROVED_MAX = 16;

/** Answers one message. Whatever cannot be read or is not known is denied. */
export function answerGdp(state: GdpState, message: unknown, context: GdpContext): GdpStep {
  const header = gdpHeader.safeParse(message);
  if (!header.success) return { state, answer: null };
  const { id, type } = header.data;
  const deny = (fault: unknown, after = state): GdpStep => {
    const reason =
      fault instanceof GuardRefused ? fault.message : 'not_approved: The question cannot be judged.';
    return { state: after, answer: { id, decision: 'deny', reason } };
  };
  try {
    switch (type) {
      case 'hello':
        return greet(id, state, read(gdpHello, message).task, context);
      case 'payment': {
        const payment = read(gdpPayment, message);
        const informed = { ...state, prices: pricesAfter(state.prices, payment) };
        try {
          return allowPayment(id, informed, payment, context);
        } catch (refusal) {
          return deny(refusal, informed);
        }
      }
      case 'sign':
        return allowSignature(id, state, read(gdpSign, message), context);
      case 'transfer':
        return deny(refused('not_approved', 'Only what a 402 asks for is paid, not what a text asks for.'));
      default:
        return deny(refused('not_approved', 'Unknown kind of message.'));
    }
  } catch (fault) {
    return deny(fault);
  }
}

export interface GdpContext {
  readonly now: Date;
  /** Of this program. */
  readonly version: string;
}

function greet(id: number, state: GdpState, task: GdpTask, { version }: GdpContext): GdpStep {
  if (state.policy !== null) throw refused('not_approved', 'The task was named already.');
  const hooks = ['payment', 'transfer', 'sign'] as const;
  return {
    state: { ...state, policy: policyOf(task) },
    answer: { id, hooks, name: 'assay-guard', version, nondeterministic: false },
  };
}

function allowPayment(id: number, state: GdpState, payment: GdpPayment, { now }: GdpContext): GdpStep {
  const { acceptIndex, approval } = judgePayment(payment, { ...state, policy: policyIn(state), now });
  return {
    state: { ...state, approved: [...state.approved, approval].slice(-APPROVED_MAX) },
    answer: { id, decision: 'allow', accept_index: acceptIndex },
  };
}

function allowSignature(id: number, state: GdpState, sign: GdpSign, { now }: GdpContext): GdpStep {
  const policy = policyIn(state);
  const paid = judgeSignature(sign, { policy, approved: state.approved, now });
  refuseUnaffordable(paid, state.signed, policy);
  const approved = state.approved.filter(({ url }) => url !== paid.url);
  return {
    state: { ...state, approved, signed: [...state.signed, paid] },
    answer: { id, decision: 'allow' },
  };
}

function policyOf({ network, budget_usd, allowed_hosts, wallet_address, host_mode }: GdpTask): GdpPolicy {
  const known = parseNetwork(network);
  const budget = parseMaxUsdNumber(budget_usd);
  if (known === null || budget === null) throw refused('not_approved', 'The task cannot be read.');
  const hosts = allowed_hosts.map((host) => host.toLowerCase());
  return { network: known, budget, hosts, hostMode: host_mode, wallet: wallet_address };
}

function policyIn({ policy }: GdpState): GdpPolicy {
  if (policy === null) throw refused('not_approved', 'No task was named.');
  return policy;
}

function read<T>(schema: z.ZodType<T>, message: unknown): T {
  const reading = schema.safeParse(message);
  if (!reading.success) throw refused('not_approved', 'The message cannot be read.');
  return reading.data;
}

function refused(code: RefusalCode, words: string): GuardRefused {
  return new GuardRefused(code, { words });
}
