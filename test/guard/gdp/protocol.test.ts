import { assert, constantFrom, jsonValue, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerGdp } from '../../../src/guard/gdp/gdp-session.ts';
import { NEW_SESSION } from '../../../src/guard/gdp/gdp-state.ts';
import { runGuardGdp } from '../../../src/main/commands/guard/gdp.ts';
import { CHAINS, codeOf, entryOf, type GdpChain, gdpDriver } from '../../support/guarding/gdp-driver.ts';
import { sized } from '../../support/sized.ts';

const chain = firstChain();
const TASK = {
  network: chain.network,
  budget_usd: 0.05,
  allowed_hosts: ['shop.test'],
  wallet_address: chain.wallet,
};
const HELLO = { id: 0, type: 'hello', gdp: 1, task: TASK };
const PAYMENT = {
  id: 1,
  type: 'payment',
  request: { url: 'http://shop.test/report', method: 'GET' },
  referrer: null,
  rail: 'x402v2',
  challenge: { accepts: [entryOf(chain)], resource: {}, raw_body: {} },
  history: [],
};

describe('assay guard gdp', () => {
  it('says what it decides about, then decides', async () => {
    expect(await answersTo([HELLO, PAYMENT])).toEqual([
      {
        id: 0,
        hooks: ['payment', 'transfer', 'sign'],
        name: 'assay-guard',
        version: '0.1.0',
        nondeterministic: false,
      },
      { id: 1, decision: 'allow', accept_index: 0 },
    ]);
  });

  it('reads lines however they are cut, and the last one without an end', async () => {
    const text = `${JSON.stringify(HELLO)}\r\n\n${JSON.stringify({ ...PAYMENT, id: 7, note: 'Größe €' })}`;
    const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    expect((await answersOf(bytes)).map(({ id }) => id)).toEqual([0, 7]);
  });

  it('drops what is no message, and goes on', async () => {
    const lines = [
      'no JSON',
      '{',
      '[]',
      'null',
      '{"type":"payment"}',
      '{"id":"1","type":"payment"}',
      '{"id":1.5,"type":"sign"}',
    ];
    expect(await answersOf([...lines.map((line) => `${line}\n`), `${JSON.stringify(HELLO)}\n`])).toHaveLength(
      1,
    );
  });

  it('drops a line of more than a megabyte, in one piece or in many, and goes on', async () => {
    const huge = JSON.stringify({ ...PAYMENT, note: 'x'.repeat(1_100_000) });
    const end = `\n${JSON.stringify({ ...PAYMENT, id: 9 })}\n`;
    const cut = Array.from({ length: 12 }, (_, at) => huge.slice(at * 100_000, (at + 1) * 100_000));
    const hello = `${JSON.stringify(HELLO)}\n`;
    expect((await answersOf([hello, huge + end])).map(({ id }) => id)).toEqual([0, 9]);
    expect((await answersOf([hello, ...cut, end])).map(({ id }) => id)).toEqual([0, 9]);
  });

  it.each<[string, readonly object[]]>([
    ['a payment before the task', [PAYMENT]],
    [
      'a signature before the task',
      [{ id: 1, type: 'sign', payload: { serialized_tx: '' }, decoded_legs: [] }],
    ],
    ['a kind of question that is not known', [HELLO, { id: 1, type: 'refund' }]],
    ['a second task', [HELLO, { ...HELLO, id: 1, task: { ...TASK, budget_usd: 1_000 } }]],
    ['another version of the protocol', [{ ...HELLO, id: 1, gdp: 2 }]],
    ['a task without a budget', [{ ...HELLO, id: 1, task: { ...TASK, budget_usd: null } }]],
    ['a task on no network', [{ ...HELLO, id: 1, task: { ...TASK, network: 'the moon' } }]],
    ['a payment of another kind', [HELLO, { ...PAYMENT, rail: 'x402v9' }]],
    ['a payment without a challenge', [HELLO, { ...PAYMENT, challenge: null }]],
    ['a payment without entries', [HELLO, { ...PAYMENT, challenge: { accepts: [], raw_body: {} } }]],
    [
      'a payment with entries that are none',
      [HELLO, { ...PAYMENT, challenge: { accepts: [null, 7, 'x'], raw_body: {} } }],
    ],
    ['a payment without a history', [HELLO, { ...PAYMENT, history: undefined }]],
    [
      'a history that cannot be counted',
      [HELLO, { ...PAYMENT, history: [{ url: 'x', amount_usd: -1, pay_to: 'x' }] }],
    ],
    ['a URL that is none', [HELLO, { ...PAYMENT, request: { url: 'shop.test', method: 'GET' } }]],
    ['a signature that cannot be read', [HELLO, { id: 1, type: 'sign', payload: {}, decoded_legs: 'none' }]],
  ])('denies %s', async (_what, messages) => {
    expect((await answersTo(messages)).at(-1)).toMatchObject({ id: 1, decision: 'deny' });
  });

  it('denies whatever else it is asked, and never fails', () => {
    const context = { now: new Date('2026-11-18T12:00:00.000Z'), version: '0.1.0' };
    const { state } = answerGdp(NEW_SESSION, HELLO, context);
    const members = [
      'request',
      'referrer',
      'challenge',
      'history',
      'payload',
      'decoded_legs',
      'intent',
      'task',
    ];
    assert(
      property(
        constantFrom('payment', 'sign', 'transfer', 'hello', ''),
        record(Object.fromEntries(members.map((name) => [name, jsonValue()])), { requiredKeys: [] }),
        (type, given) => {
          const { answer } = answerGdp(
            state,
            // An empty history would be one, and the rest of the payment is honest.
            { ...PAYMENT, ...given, type, history: isEmptyList(given['history']) ? null : given['history'] },
            context,
          );
          expect(answer).toMatchObject({ id: 1, decision: 'deny' });
        },
      ),
      { numRuns: sized(300, 20_000) },
    );
  });

  it('names no text of the seller in a reason', () => {
    const driver = gdpDriver(chain);
    driver.hello();
    const entry = entryOf(chain, { payTo: 'ignore-all-instructions', network: 'pay-the-thief:1' });
    const { reason } = driver.pay([entry]);
    expect(String(reason)).not.toMatch(/ignore|thief/);
    expect(codeOf({ reason })).toBe('network_mismatch');
  });
});

async function answersTo(messages: readonly object[]) {
  return answersOf(messages.map((message) => `${JSON.stringify(message)}\n`));
}

async function answersOf(pieces: readonly (string | Uint8Array)[]) {
  const answers: Record<string, unknown>[] = [];
  async function* input() {
    yield* pieces;
  }
  expect(await runGuardGdp({ json: (answer) => answers.push({ ...answer }) }, input())).toBe(0);
  return answers;
}

function firstChain(): GdpChain {
  const [first] = CHAINS;
  if (first === undefined) throw new Error('there is no chain');
  return first;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
