import { WITHDRAWAL_REASONS } from '../../../core/log/entry.ts';
import type { Withdrawal } from '../../../core/statement/withdrawal-stub.ts';
import type { Tables } from '../engine/tables.ts';

export function withdrawalOf({ id, sha256, because, at }: Tables['withdrawals']): Withdrawal {
  const known = WITHDRAWAL_REASONS.find((reason) => reason === because);
  if (known === undefined) throw new Error(`the withdrawal of ${id} has no reason that this release knows`);
  return { id, sha256, because: known, at: new Date(at) };
}
