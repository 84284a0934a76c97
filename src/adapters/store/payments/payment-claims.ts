import { isDatedAhead } from '../../../core/is-dated-ahead.ts';
import type { ClaimResult, PaidRequest, PaymentClaim, Standing } from '../../../ports/payment-ledger.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { decodeAnswer } from './payment-codec.ts';

export async function lookAtPayment(
  database: Queries,
  request: PaidRequest,
  at: Date,
): Promise<Standing | null> {
  refuseOddNames(request);
  return standingAnswer(await rowsFor(database, request).execute(), request, at);
}

export async function claimPayment(
  writes: Writes,
  dialect: Dialect,
  claim: PaymentClaim,
): Promise<ClaimResult> {
  refuseOddNames(claim);
  return writes.unit<ClaimResult>(
    async (queries) => {
      // Always in this order: two claims cannot deadlock.
      await dialect.waitForTurn(queries, `payment ${claim.key}`);
      if (claim.identifier !== null) {
        await dialect.waitForTurn(queries, `payment identifier ${claim.identifier}`);
      }
      const found = await lockedRowsFor(queries, dialect, claim);
      const standing = standingAnswer(found, claim, claim.claimedAt);
      if (standing !== null) return standing;
      await takeOver(queries, found, claim);
      return { kind: 'claimed' };
    },
    // A repeated payment costs one read.
    { look: (queries) => lookAtPayment(queries, claim, claim.claimedAt) },
  );
}

/** The holder of an expired claim may only be slow, and goes on as long as the row exists. Deleting the row stops it. */
export async function endLapsedClaim(
  writes: Writes,
  dialect: Dialect,
  request: PaidRequest,
  at: Date,
): Promise<Standing | null> {
  refuseOddNames(request);
  const { standing } = await writes.unit<{ readonly standing: Standing | null }>(
    async (queries) => {
      const found = await lockedRowsFor(queries, dialect, request);
      if (isOwnLapsed(found, request, at)) {
        await queries.deleteFrom('payments').where('key', '=', request.key).execute();
      }
      return { standing: standingAnswer(found, request, at) };
    },
    {
      // Most payments were never claimed, and anyone can invent one: they cost one read.
      async look(queries) {
        const found = await rowsFor(queries, request).execute();
        if (isOwnLapsed(found, request, at)) return null;
        return { standing: standingAnswer(found, request, at) };
      },
    },
  );
  return standing;
}

function isOwnLapsed(found: readonly Found[], { key, requestKey }: PaidRequest, at: Date): boolean {
  const own = found.find((row) => row.key === key && row.request_key === requestKey);
  return own?.state === 'claimed' && isLapsed(own, at);
}

/** PostgreSQL stores no NUL, and both engines replace lone surrogates by U+FFFD: two names would become one. */
function refuseOddNames({ key, identifier }: PaidRequest): void {
  if (ODD.test(key) || (identifier !== null && ODD.test(identifier))) {
    throw new Error('the name of a payment has a sign in it that no store can keep');
  }
}

const ODD = /\0|\p{Surrogate}/u;

/** The row with this key and the row with this identifier; usually the same one, or none. */
function rowsFor(queries: Queries, { key, identifier }: PaidRequest) {
  return queries
    .selectFrom('payments')
    .select(FOUND)
    .where(({ eb, or }) =>
      identifier === null
        ? eb('key', '=', key)
        : or([eb('key', '=', key), eb('identifier', '=', identifier)]),
    );
}

function lockedRowsFor(queries: Queries, dialect: Dialect, request: PaidRequest) {
  return rowsFor(queries, request).orderBy('key').modifyEnd(dialect.forUpdate).execute();
}

type Found = Pick<Tables['payments'], (typeof FOUND)[number]>;

const FOUND = [
  ...(['key', 'request_key', 'state', 'held_until', 'answer', 'tx'] as const),
  ...(['sends', 'send_after', 'claimed_from', 'delivered_to'] as const),
] as const;

/** What prevents a claim, or null (gaps G63 and G67). */
function standingAnswer(found: readonly Found[], request: PaidRequest, at: Date): Standing | null {
  const standing = found.filter((row) => !isLapsed(row, at));
  const own = standing.find(({ key }) => key === request.key);
  if (standing.some((row) => row !== own || row.request_key !== request.requestKey))
    return { kind: 'other_request' };
  if (own === undefined) return null;
  const { state, answer, claimed_from: claimedFrom, delivered_to: deliveredTo } = own;
  if (state === 'settled') {
    const presented = { claimedFrom, deliveredTo };
    return { kind: 'settled', answer: answer === null ? null : decodeAnswer(answer), presented };
  }
  return state === 'rejected' ? { kind: 'reverted' } : { kind: 'pending', state };
}

/** Nothing was delivered for it and no attempt is running: it can be claimed as if it were new. */
function isLapsed({ state, held_until, tx }: Found, now: Date): boolean {
  // One that reverted on the chain would revert again, at our expense.
  if (state === 'rejected') return tx === null;
  // A claim lasts half a minute, so its end is not dated ahead unless its begin is.
  return state === 'claimed' && (held_until <= now.getTime() || isDatedAhead(held_until, now));
}

/** Replaces lapsed rows, so that their former holder finds its row gone. */
async function takeOver(queries: Queries, lapsed: readonly Found[], claim: PaymentClaim): Promise<void> {
  if (lapsed.length > 0) {
    const keys = lapsed.map(({ key }) => key);
    await queries.deleteFrom('payments').where('key', 'in', keys).execute();
  }
  const { key, requestKey, identifier, from, holder, claimedAt, heldUntil } = claim;
  // What was sent for this payment counts for the next attempt, too.
  const own = lapsed.find((row) => row.key === key);
  const row = {
    key,
    request_key: requestKey,
    identifier,
    state: 'claimed',
    holder,
    held_until: heldUntil.getTime(),
    changed_at: claimedAt.getTime(),
    claimed_from: from,
    sends: own?.sends ?? 0,
    send_after: own?.send_after ?? 0,
  } as const;
  await queries.insertInto('payments').values(row).execute();
}
