import { GuardRefused, type RefusalCode } from '../guard-refused.ts';

/** What the gateway itself refuses, or cannot do. */
const OWN_PROBLEMS = {
  bad_target: { status: 400, title: 'No target' },
  bad_request: { status: 400, title: 'Bad request' },
  from_web_page: { status: 403, title: 'Request of a web page' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  body_too_large: { status: 413, title: 'Body too large' },
  wrong_host: { status: 421, title: 'Another host' },
  headers_too_large: { status: 431, title: 'Header fields too large' },
  no_answer: { status: 502, title: 'No answer' },
} as const satisfies Record<string, { status: number; title: string }>;

type OwnCode = keyof typeof OWN_PROBLEMS;

/** An error body of RFC 9457, in our words alone. */
export interface GatewayProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: OwnCode | RefusalCode;
  readonly purchase_id: string | null;
}

export function ownProblem(code: OwnCode, detail: string): GatewayProblem {
  return { type: typeOf(code), ...OWN_PROBLEMS[code], detail, code, purchase_id: null };
}

/** Thrown where reading a request finds that it cannot be passed on. */
export class GatewayRefused extends Error {
  readonly problem: GatewayProblem;

  constructor(code: OwnCode, detail: string) {
    super(detail);
    this.name = 'GatewayRefused';
    this.problem = ownProblem(code, detail);
  }
}

/** Any fault as an answer. What a system or a seller said stays here. */
export function problemOf(fault: unknown): GatewayProblem {
  if (fault instanceof GatewayRefused) return fault.problem;
  if (fault instanceof GuardRefused) return refusalProblem(fault);
  return ownProblem('no_answer', 'The target gave no answer.');
}

const AFTER_PAYMENT: ReadonlySet<RefusalCode> = new Set(['outcome_unknown', 'asked_again_after_payment']);

function refusalProblem({ code, purchaseId, message }: GuardRefused): GatewayProblem {
  // With a purchase, the seller redirects a payment that it has seen.
  const isSent = AFTER_PAYMENT.has(code) || (code === 'redirected_elsewhere' && purchaseId !== null);
  return {
    type: typeOf(code),
    title: isSent ? 'A payment was sent, and nothing was delivered' : 'Payment refused',
    status: isSent ? 502 : 403,
    detail: message.slice(`${code}: `.length),
    code,
    purchase_id: purchaseId,
  };
}

function typeOf(code: GatewayProblem['code']): string {
  return `urn:assay:guard:${code}`;
}
