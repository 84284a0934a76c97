import type { Payment } from '../../core/x402/payment-payload.ts';
import type { Charge, Facilitator } from '../../ports/facilitator.ts';
import { postJson } from '../http-client/post-json.ts';
import { bridgePayment, type Question } from './payment-bridge.ts';
import { readSettlement, readVerification } from './read-answers.ts';

export interface HttpFacilitatorOptions {
  /** With or without a path; `/verify` and `/settle` are appended. */
  readonly url: string;
  /** Credentials for the facilitator. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const ANSWER_MAX_BYTES = 65_536;

/**
 * A remote facilitator. It gets the requests of the SDK's client, which is not used: that one reads answers of any size, follows
 * redirects with the payment, and its resource server cannot start while the facilitator is down.
 */
export function createHttpFacilitator({
  url,
  headers = {},
  timeoutMs = 10_000,
}: HttpFacilitatorOptions): Facilitator {
  const base = url.replace(/\/+$/, '');

  /** The answer's JSON; undefined without a usable answer, which does not mean that nothing was done. */
  const ask = async (path: 'verify' | 'settle', { payload, requirements }: Question): Promise<unknown> => {
    const posted = await postJson({
      url: `${base}/${path}`,
      headers,
      body: { x402Version: 2, paymentPayload: payload, paymentRequirements: requirements },
      timeoutMs,
      maxBytes: ANSWER_MAX_BYTES,
    });
    // A refusal may come as a 4xx; a 5xx is a fault, whatever its body says.
    return posted.kind === 'answered' && posted.status < 500 ? posted.json : undefined;
  };

  return {
    async verify(payment: Payment, charge: Charge) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return { kind: 'invalid', reason: bridged.reason };
      return readVerification(await ask('verify', bridged.question), payment);
    },
    async settle(payment: Payment, charge: Charge) {
      const bridged = bridgePayment(payment, charge);
      if (bridged.kind === 'refused') return bridged;
      // Even a refused connection is 'unknown': an earlier attempt may have arrived, and only the chain can tell.
      return readSettlement(await ask('settle', bridged.question), payment);
    },
  };
}
