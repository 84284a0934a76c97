import { describe, expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { finishedCall, unsignedCall } from './finished-call.ts';
import { type CallResult, noteOf, readNote } from './open-call.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const RESULT: CallResult = {
  delivered: true,
  quality: 'pass',
  qualityReason: 'the check passed',
  httpStatus: 200,
  latencyMs: 12,
  bodySha256: 'ab',
  body: '{}',
};
const settlement = { tx: '0xtx', charged: microUsd(10_000n) };

describe('a note about a call that is under way', () => {
  it.each([null, RESULT])('is read as it was written', (result) => {
    const call = { payment: '{"x402Version":2}', result };
    expect(readNote(noteOf(call))).toEqual(call);
  });

  it.each(['', '{}', 'null', '{"payment":1,"result":null}', '{"payment":"x","result":{"delivered":1}}'])(
    'cannot be read: %j',
    (text) => {
      expect(readNote(text)).toBeNull();
    },
  );
});

describe('a call that is over', () => {
  it('says what came back, and what the chain says about the money', () => {
    expect(finishedCall({ calledAt: NOON, payTo: '0xpayee', result: RESULT, settlement })).toEqual({
      calledAt: NOON,
      tx: '0xtx',
      charged: 10_000n,
      payTo: '0xpayee',
      delivered: true,
      ourFault: false,
      quality: 'pass',
      qualityReason: 'the check passed',
      httpStatus: 200,
      latencyMs: 12,
    });
  });

  it('whose answer we lost is nothing against the seller, but the money counts', () => {
    expect(finishedCall({ calledAt: NOON, payTo: '0xpayee', result: null, settlement })).toMatchObject({
      tx: '0xtx',
      charged: 10_000n,
      delivered: false,
      ourFault: true,
      quality: 'not_graded',
    });
  });

  it('for which nothing was signed cost nothing and says nothing', () => {
    expect(unsignedCall(NOON)).toMatchObject({ tx: null, charged: null, payTo: null, ourFault: true });
  });
});
