import type { Guarding } from '../guarding.ts';
import type { Purchase } from '../ledger/purchase.ts';
import { askChain } from '../outcome/ask-chain.ts';

export function isLive({ authorization }: Purchase, now: Date): boolean {
  return authorization !== null && Number(authorization.validBefore) * 1_000 > now.getTime();
}

/**
 * What the chain says about a payment that can no longer be sent: taken without delivery, or never taken. While it can be sent,
 * without a node, or before the chain can know, the purchase stays open and its money stays counted: concluded, it would let the
 * payer sign once more for goods that the same payment may still bring.
 */
export async function settleOpen(guarding: Guarding, purchase: Purchase): Promise<Purchase> {
  const { authorization, terms } = purchase;
  const { chain = null } = guarding.options;
  const now = guarding.now();
  if (chain === null || authorization === null || isLive(purchase, now)) return purchase;
  const said = await askChain(
    { rpcUrl: chain.rpcUrl, fetch: guarding.factsFetch, now: guarding.now },
    { network: terms.network, asset: terms.asset, authorization, since: purchase.createdAt },
  );
  if (said.kind !== 'used' && !(said.kind === 'not_used' && said.final)) return purchase;
  const used = said.kind === 'used';
  const to = used ? 'paid_undelivered' : 'never_settled';
  const transaction = used ? said.transaction : null;
  const facts = { chain: { askedAt: now.toISOString(), used, transaction }, payment: null };
  const moved = await guarding.ledger.move(purchase.id, { from: [purchase.state], to, at: now, facts });
  return moved ? { ...purchase, ...facts, state: to, updatedAt: now } : purchase;
}
