import { isSameAddress } from '../../core/x402/address.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { GdpLeg, GdpSign } from './gdp-message.ts';
import { type Approval, type GdpPolicy, LIFE_MAX_SECONDS } from './gdp-state.ts';
import { isTokenAccountOf } from './token-account.ts';

export interface SignatureContext {
  readonly policy: GdpPolicy;
  readonly approved: readonly Approval[];
  readonly now: Date;
}

/** The approval that these bytes pay, to the payee, to the unit and not for longer. Throws a GuardRefused. */
export function judgeSignature(
  { payload, decoded_legs }: GdpSign,
  { policy, approved, now }: SignatureContext,
): Approval {
  const [leg, ...more] = decoded_legs;
  // One approval is one transfer; a second leg is somebody else's.
  if (leg === undefined || more.length > 0) throw new GuardRefused('something_else_was_signed');
  const paid = approved.find((approval) => pays(leg, approval, policy));
  if (paid === undefined) throw new GuardRefused('something_else_was_signed');
  const isEvm = paid.network.startsWith('eip155:');
  const isSame = 'typed_data' in payload ? isEvm && signs(payload, paid, { policy, now }) : !isEvm;
  if (!isSame) throw new GuardRefused('something_else_was_signed');
  return paid;
}

function pays(leg: GdpLeg, approval: Approval, { wallet }: GdpPolicy): boolean {
  const { network, asset, payTo, amount } = approval;
  return (
    leg.valid !== false &&
    leg.authority_grant !== true &&
    leg.network === network &&
    isSameAddress(leg.asset, asset) &&
    isSameAddress(leg.from, wallet) &&
    leg.amount_atomic === String(amount) &&
    (leg.authorization_seconds ?? 0) <= LIFE_MAX_SECONDS &&
    reaches(leg, approval, payTo)
  );
}

/** A Solana payment goes to a token account, which has to be that of the payee. */
function reaches({ to, to_token_account }: GdpLeg, { network, asset }: Approval, payTo: string): boolean {
  if (network.startsWith('eip155:')) return isSameAddress(to, payTo);
  return isTokenAccountOf(to_token_account ?? to, payTo, asset);
}

/** The typed data itself, beside what the driver decoded of it. */
function signs(
  { typed_data }: Extract<GdpSign['payload'], { typed_data: unknown }>,
  { network, asset, payTo, amount }: Approval,
  { policy, now }: Pick<SignatureContext, 'policy' | 'now'>,
): boolean {
  const { domain, primaryType, message } = typed_data;
  const seconds = Number(message.validBefore) - now.getTime() / 1_000;
  return (
    primaryType === 'TransferWithAuthorization' &&
    `eip155:${domain.chainId}` === network &&
    isSameAddress(domain.verifyingContract, asset) &&
    isSameAddress(message.from, policy.wallet) &&
    isSameAddress(message.to, payTo) &&
    String(message.value) === String(amount) &&
    seconds <= LIFE_MAX_SECONDS
  );
}
