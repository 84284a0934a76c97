import { setTimeout as wait } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createBaseClient } from '../adapters/facilitator/base-chain.ts';
import { createFacilitatorSigner } from '../adapters/facilitator/facilitator-signer.ts';
import { createSerialSender } from '../adapters/facilitator/serial-sender.ts';
import { isJsonObject, type JsonObject, member, parseJson } from '../core/x402/read-json.ts';
import { BASE } from '../core/x402/usdc-on-base.ts';
import { type LoopbackAnswer, serveLoopback } from './loopback-server.ts';

/** An injected fault, in effect until it is replaced. */
export type Misbehaviour =
  /** Does nothing and answers this: a 500, garbage, a lie. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** Does its work and answers late. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Does its work and closes the connection without an answer. */
  | { readonly kind: 'lost_answer' };

export interface FacilitatorServer {
  readonly url: string;
  misbehave(how: Misbehaviour | null): void;
  stop(): Promise<void>;
}

export interface FacilitatorServerOptions {
  readonly rpcUrl: string;
  readonly gasKey: Hex;
  readonly port?: number;
}

const CONFIRMATION_MS = 20_000;

/** A facilitator with `/supported`, `/verify` and `/settle`, for both versions of x402. */
export async function startFacilitatorServer({
  rpcUrl,
  gasKey,
  port,
}: FacilitatorServerOptions): Promise<FacilitatorServer> {
  const client = createBaseClient({ rpcUrl });
  const sender = createSerialSender(client, privateKeyToAccount(gasKey));
  const signer = createFacilitatorSigner({
    client,
    sender,
    confirmationMs: CONFIRMATION_MS,
    onFault: () => {},
  });
  const facilitator = registerExactEvmScheme(new x402Facilitator(), { signer, networks: BASE });
  let misbehaviour: Misbehaviour | null = null;
  const server = await serveLoopback({
    port,
    async handle({ method, path, body }) {
      const how = misbehaviour;
      if (how?.kind === 'answer') return { kind: 'json', status: how.status, body: how.body };
      const answer = await answerOf(facilitator, `${method} ${path}`, parseJson(body));
      if (how?.kind === 'delay') await wait(how.milliseconds);
      return how?.kind === 'lost_answer' ? { kind: 'hang_up' } : answer;
    },
  });
  return {
    url: server.url,
    stop: server.stop,
    misbehave(how) {
      misbehaviour = how;
    },
  };
}

async function answerOf(facilitator: x402Facilitator, route: string, body: unknown): Promise<LoopbackAnswer> {
  if (route === 'GET /supported') return json(200, facilitator.getSupported());
  if (route !== 'POST /verify' && route !== 'POST /settle') return json(404, { error: 'not_found' });
  const payload = isJsonObject(body) ? member(body, 'paymentPayload') : undefined;
  const requirements = isJsonObject(body) ? member(body, 'paymentRequirements') : undefined;
  if (!isPayload(payload) || !isRequirements(requirements)) return json(400, { error: 'invalid_payload' });
  try {
    const answer =
      route === 'POST /verify'
        ? await facilitator.verify(payload, requirements)
        : await facilitator.settle(payload, requirements);
    return json(200, answer);
  } catch (error) {
    // Like real facilitators: the library's message goes out, and callers must not forward it.
    return json(500, { error: error instanceof Error ? error.message : 'failed' });
  }
}

// The SDK validates the content; it throws on invalid input, which is a 500 above.
function isPayload(value: unknown): value is PaymentPayload & JsonObject {
  return isJsonObject(value);
}

function isRequirements(value: unknown): value is PaymentRequirements & JsonObject {
  return isJsonObject(value);
}

function json(status: number, body: unknown): LoopbackAnswer {
  return { kind: 'json', status, body: JSON.stringify(body) };
}
