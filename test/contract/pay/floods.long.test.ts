import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inBatches } from '../../../src/core/concurrency/in-batches.ts';
import {
  newNonce,
  paymentHeader,
  type SignedAuthorization,
  signAuthorization,
} from '../../../tools/signed-payment.ts';
import { expectProblem, LOOKUP, LOOKUP_PAID } from '../../support/asking.ts';
import { expectRefused } from '../../support/paying/paying-answers.ts';
import { buy, gate, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { type PayingService, startPaying } from '../../support/paying/paying-service.ts';
import { freshAddress, type Received, type Sent } from '../../support/running/running-service.ts';
import { sized } from '../../support/sized.ts';
import { usePostgres } from '../../support/storing/postgres-places.ts';
import { type NewPlace, newSqlitePlace } from '../../support/storing/stores.ts';

const TASK = `${LOOKUP_PAID}?task=weather`;
const COPIES = 1_100;
const GARBAGE = sized(300, 1_500);
const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
/** What this suite is about lies behind the limits of an address (gap G102). */
const ALLOWED = { REQUESTS_PER_ADDRESS: '2000', READS_PER_ADDRESS_MINUTE: '100000' };

describe.each<[string, NewPlace]>([
  ['SQLite', newSqlitePlace],
  ['PostgreSQL', usePostgres()],
])('a flood of payments, on %s (L91)', (_, newPlace) => {
  let paying: PayingService;
  beforeAll(async () => {
    paying = await startPaying({ chain, place: await newPlace(), settings: ALLOWED });
  });
  beforeEach(() => paying.facilitator.reset());
  afterAll(() => paying.close());

  const statusesOf = (answers: readonly { readonly status: number }[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  /** Fewer at a time than the service serves at all. */
  const inWaves = async (sent: readonly Sent[]) => {
    const answers: Received[] = [];
    for (const wave of inBatches(sent, 100)) {
      answers.push(...(await Promise.all(wave.map((one) => paying.ask(TASK, one)))));
    }
    return answers;
  };
  let signed: SignedAuthorization | null = null;
  /** A payment with a signature of this length that nobody has made. */
  const forged = async (from: string, bytes: number): Promise<Sent> => {
    signed ??= await signAuthorization({
      key: buyer.key,
      to: chain.accounts.seller.address,
      value: 20_000n,
    });
    const authorization = { ...signed.authorization, nonce: newNonce() };
    const signature = `${signed.signature}${'00'.repeat(bytes - 65)}` as const;
    return { ...withPayment(paymentHeader({ authorization, signature })), from };
  };

  it(`${COPIES} copies of one payment keep nobody else from being answered, and buy one answer`, async () => {
    const sent = withPayment(paymentHeader(await signFor(await paying.ask(TASK), { buyer })));
    const held = gate();
    paying.facilitator.beforeVerify = () => held.opened;
    const { result, taken } = await takingsOf(chain, async () => {
      let refused = 0;
      const copies: Promise<Received>[] = [];
      const askAgain = async () => {
        const answer = await paying.ask(TASK, sent);
        if (answer.status === 429) refused += 1;
        return answer;
      };
      for (let wave = 0; wave < COPIES / 100; wave += 1) {
        copies.push(...Array.from({ length: 100 }, askAgain));
        await vi.waitFor(() => expect(refused).toBe(copies.length - 8), { timeout: 60_000 });
      }
      await vi.waitFor(() => expect(paying.facilitator.calls.verify).toBeGreaterThan(0), { timeout: 60_000 });
      const others = await Promise.all(
        ['/v1/tasks', `${LOOKUP}?task=weather`, TASK].map((path) => paying.ask(path)),
      );
      held.open();
      return { others, copies: await Promise.all(copies) };
    });
    expect(result.others.map(({ status }) => status)).toEqual([200, 402, 402]);
    expect(statusesOf(result.copies)).toEqual({ 200: 8, 429: COPIES - 8 });
    const busy = result.copies.find(({ status }) => status === 429);
    if (busy !== undefined) expectProblem(busy, 429, 'payment_busy');
    expect(Number(busy?.header('retry-after'))).toBeGreaterThan(0);
    expect(taken).toHaveLength(1);
  });

  it(`${GARBAGE} forged signatures are refused without the facilitator; an honest buyer beside them pays`, async () => {
    const from = freshAddress();
    const sent = await Promise.all(Array.from({ length: GARBAGE }, () => forged(from, 65)));
    const answers = await inWaves(sent);
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
    expect(statusesOf(answers)).toEqual({ 402: 30, 429: GARBAGE - 30 });
    for (const answer of answers.filter(({ status }) => status === 402))
      expectRefused(answer, 'bad_signature');
    const [limited] = answers.filter(({ status }) => status === 429);
    if (limited !== undefined) expectProblem(limited, 429, 'verification_limit');
    expect((await buy(paying.ask, TASK, { buyer, sent: { from } })).answer.status).toBe(200);
    // A signature that cannot be judged here would need the budget that is used up.
    expectProblem(await paying.ask(TASK, await forged(from, 66)), 429, 'verification_limit');
    expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 1 });
  });

  it('100 signatures that only a contract could judge are 30 questions to the facilitator', async () => {
    const from = freshAddress();
    const sent = await Promise.all(Array.from({ length: 100 }, () => forged(from, 66)));
    const answers = await inWaves(sent);
    expect(statusesOf(answers)).toEqual({ 402: 30, 429: 70 });
    expect(paying.facilitator.calls.verify).toBe(30);
  });
});
