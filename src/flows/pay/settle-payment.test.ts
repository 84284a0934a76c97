import { describe, expect, it } from 'vitest';
import { PAYER } from '../../../test/support/paying/charging-payments.ts';
import { type Told, useChargingWorlds } from '../../../test/support/paying/charging-world.ts';
import type { AuthorizationUse, Settlement } from '../../ports/facilitator.ts';

const UNUSED: AuthorizationUse = { kind: 'unused', asOf: new Date('2026-11-15T12:00:00.000Z') };

const world = useChargingWorlds();
const answeredIn = (tx: string) => ({
  kind: 'answered',
  answer: { status: 200, headers: { tx }, body: `lookup goods paid 20000 by ${PAYER}` },
  replayed: false,
});
const ANSWERED = answeredIn('0xabc');
const PENDING = { kind: 'pending' };
const UNKNOWN: Settlement = { kind: 'unknown' };

const REVERTED: Settlement = { kind: 'reverted', tx: '0xfa11' };

describe('the end of a charge', () => {
  const refused = (reason: 'insufficient_funds' | 'already_used'): Settlement => ({
    kind: 'refused',
    reason,
  });
  const USED: AuthorizationUse = { kind: 'used', tx: '0xdef' };

  const refusal = (reason: string) => ({ kind: 'refused', reason, price: 20_000n, settling: true });

  it.each<[string, Settlement, AuthorizationUse, object, string]>([
    ['no', refused('insufficient_funds'), UNUSED, refusal('insufficient_funds'), 'rejected'],
    [
      'no, after somebody else has settled it',
      refused('insufficient_funds'),
      USED,
      answeredIn('0xdef'),
      'settled',
    ],
    ['used before, by this payment', refused('already_used'), USED, answeredIn('0xdef'), 'settled'],
    ['taken back', refused('already_used'), { kind: 'void' }, refusal('already_used'), 'rejected'],
    ['used, which the chain does not show', refused('already_used'), UNUSED, PENDING, 'unknown'],
    ['used, and no chain to ask', refused('already_used'), { kind: 'unavailable' }, PENDING, 'unknown'],
    ['reverted on the chain', REVERTED, UNUSED, refusal('failed_on_chain'), 'rejected'],
    ['reverted, because somebody else brought it in', REVERTED, USED, answeredIn('0xdef'), 'settled'],
    ['reverted, and no chain to ask', REVERTED, { kind: 'unavailable' }, PENDING, 'unknown'],
    ['neither yes nor no', UNKNOWN, USED, PENDING, 'unknown'],
  ])('%s', async (_, settlement, use, result, state) => {
    const { buy, told, states, used, faults } = await world();
    Object.assign(told, { settle: async () => settlement, useOf: async () => use });
    expect(await buy()).toEqual(result);
    // A refusal at this point has cost us the work: it stays counted.
    expect([await states(), await used(), faults]).toEqual([[state], 1, []]);
  });

  it.each<[string, (told: Told, fault: () => never) => void]>([
    ['the facilitator breaks', (told, fault) => Object.assign(told, { settle: async () => fault() })],
    [
      'the log breaks',
      (told, fault) =>
        Object.assign(told, { settle: async () => refused('already_used'), useOf: async () => fault() }),
    ],
  ])('is not known when %s: nobody is told that nothing was paid', async (_, breakIt) => {
    const { buy, told, states, faults } = await world();
    breakIt(told, () => {
      throw new Error('our own fault');
    });
    expect(await buy()).toEqual(PENDING);
    expect([await states(), faults]).toEqual([['settling'], [new Error('our own fault')]]);
  });

  it('is not known when the answer cannot be finished', async () => {
    const { buy, states, faults } = await world({
      finish: () => {
        throw new Error('our own fault');
      },
    });
    expect(await buy()).toEqual(PENDING);
    expect([await states(), faults.length]).toEqual([['settling'], 1]);
  });

  it('a payment that reverted is never worked for or settled again (L90)', async () => {
    const { buy, told, trace } = await world();
    told.settle = async () => REVERTED;
    told.useOf = async () => UNUSED;
    await buy();
    trace.length = 0;
    expect(await buy()).toEqual({ ...refusal('failed_on_chain'), settling: false });
    expect(trace).toEqual(['ledger.look', 'quote']);
  });

  it('a refused payment can be tried again', async () => {
    const { buy, told, states } = await world();
    const { settle } = told;
    told.settle = async () => refused('insufficient_funds');
    told.useOf = async () => UNUSED;
    await buy();
    told.settle = settle;
    expect(await buy()).toEqual(ANSWERED);
    expect(await states()).toEqual(['settled']);
  });
});
