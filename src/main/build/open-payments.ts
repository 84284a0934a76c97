import { BASE_CHAIN_ID } from '../../core/x402/usdc-on-base.ts';
import type { AuthorizationLog, Facilitator, SignatureCheck } from '../../ports/facilitator.ts';
import type { Config } from '../config/config.ts';

/** The facilitator, and the log that knows the outcome of a settlement. */
export interface Payments {
  readonly facilitator: Facilitator;
  readonly authorizationLog: AuthorizationLog;
  readonly signatures: SignatureCheck;
}

interface Warning {
  warn(line: string): void;
}

/** Loading the chain client takes a third of a second, so the first use loads it. */
export async function openPayments({ facilitator, node, payTo }: Config, log: Warning): Promise<Payments> {
  if (payTo !== null && node.isChosen) await requireBase(node.url, log);
  const settling = once(() => openFacilitator(facilitator));
  const reading = once(async () => {
    const { createAuthorizationLog } = await import('../../adapters/facilitator/chain-log.ts');
    return createAuthorizationLog({ rpcUrl: node.url });
  });
  const checking = once(async () => {
    const { createSignatureCheck } = await import('../../adapters/facilitator/signature-check.ts');
    return createSignatureCheck();
  });
  return {
    signatures: { signedBy: async (payment) => (await checking()).signedBy(payment) },
    facilitator: {
      verify: async (payment, charge) => (await settling()).verify(payment, charge),
      settle: async (payment, charge, maySend) => (await settling()).settle(payment, charge, maySend),
    },
    authorizationLog: { useOf: async (authorization) => (await reading()).useOf(authorization) },
  };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}

async function openFacilitator(chosen: Config['facilitator']): Promise<Facilitator> {
  if (chosen.kind === 'http') {
    const { createHttpFacilitator } = await import('../../adapters/facilitator/http-facilitator.ts');
    return createHttpFacilitator(chosen);
  }
  const { createBuiltInFacilitator } = await import('../../adapters/facilitator/built-in-facilitator.ts');
  return createBuiltInFacilitator(chosen);
}

/** On another chain the same contract address is another token. */
async function requireBase(url: string, log: Warning): Promise<void> {
  const { chainIdOf } = await import('../../adapters/facilitator/chain-id.ts');
  const chainId = await chainIdOf(url);
  if (chainId === null)
    return log.warn('the node behind RPC_URL does not answer; it is asked again when needed');
  if (chainId !== BASE_CHAIN_ID)
    throw new Error(`invalid setting: RPC_URL is a node of chain ${chainId}, not of Base`);
}
