import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64, ENTRY } from '../../../tools/samples/challenge.ts';
import { keepPayment, readKeptPayment, readPayment } from './payment-payload.ts';

const authorization = {
  from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
  to: ENTRY.payTo,
  value: '10000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'Ab'.repeat(32)}`,
};
const payload = { signature: `0x${'1C'.repeat(65)}`, authorization };
const v2 = { x402Version: 2, accepted: ENTRY, payload };
const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload };
const ENTRY_KEYS = { scheme: 1, network: 1, asset: 1, amount: 1, payTo: 1 };
const encode = (document: unknown) => base64(JSON.stringify(document));
const newer = (document: unknown) => readPayment({ paymentSignature: encode(document), xPayment: null });

describe('a payment in a header (G62)', () => {
  it('is read into canonical spellings', () => {
    expect(newer(v2)).toEqual({
      kind: 'payment',
      payment: {
        x402Version: 2,
        scheme: 'exact',
        network: 'eip155:8453',
        authorization: {
          from: '0x857b06519e91e3a54538791bdbb0e22373e36b66',
          to: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
          value: 10_000n,
          validAfter: 0n,
          validBefore: 1_800_000_000n,
          nonce: `0x${'ab'.repeat(32)}`,
        },
        signature: `0x${'1c'.repeat(65)}`,
        payer: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
        identifier: null,
        document: v2,
      },
    });
  });

  it.each<[string, string | null, string | null, object]>([
    ['none at all', null, null, { kind: 'none' }],
    ['an empty header', '', null, { kind: 'none' }],
    [
      'version 1 in the older header',
      null,
      encode(v1),
      { payment: { x402Version: 1, network: 'eip155:8453' } },
    ],
    ['version 1 in the newer header', encode(v1), null, { payment: { x402Version: 1 } }],
    ['version 2 in the older header', null, encode(v2), { payment: { x402Version: 2 } }],
    ['one payment in both headers, wrapped twice', encode(v2), encode(v1), { payment: { x402Version: 2 } }],
    [
      'two payments',
      encode(v2),
      encode({
        ...v1,
        payload: { ...payload, authorization: { ...authorization, nonce: `0x${'00'.repeat(32)}` } },
      }),
      { kind: 'unreadable', fault: 'two_payments' },
    ],
    [
      'two payers',
      encode(v2),
      encode({ ...v1, payload: { ...payload, authorization: { ...authorization, from: ENTRY.payTo } } }),
      { kind: 'unreadable', fault: 'two_payments' },
    ],
    [
      'two amounts under one nonce',
      encode(v2),
      encode({ ...v1, payload: { ...payload, authorization: { ...authorization, value: '1' } } }),
      { kind: 'unreadable', fault: 'two_payments' },
    ],
    [
      'two signatures',
      encode(v2),
      encode({ ...v1, payload: { ...payload, signature: '0x00' } }),
      { kind: 'unreadable', fault: 'two_payments' },
    ],
    [
      'two networks',
      encode(v2),
      encode({ ...v1, network: 'polygon' }),
      { kind: 'unreadable', fault: 'two_payments' },
    ],
    ['a good one beside a broken one', encode(v2), '!', { kind: 'unreadable', fault: 'bad_encoding' }],
    ['a broken one beside a good one', '!', encode(v2), { kind: 'unreadable', fault: 'bad_encoding' }],
  ])('%s', (_, paymentSignature, xPayment, expected) => {
    expect(readPayment({ paymentSignature, xPayment })).toMatchObject(expected);
  });

  it.each<[string, unknown, string]>([
    ['an array', [], 'bad_json'],
    ['no version', { ...v2, x402Version: undefined }, 'bad_version'],
    ['a version in quotes', { ...v2, x402Version: '2' }, 'bad_version'],
    ['version 2 without the accepted entry', { ...v2, accepted: undefined }, 'bad_terms'],
    ['an accepted entry without a scheme', { ...v2, accepted: { ...ENTRY, scheme: 1 } }, 'bad_terms'],
    ['an accepted entry without a network', { ...v2, accepted: { ...ENTRY, network: {} } }, 'bad_terms'],
    ['a network nobody knows', { ...v1, network: 'moonbase' }, 'bad_terms'],
    ['no payload', { ...v2, payload: undefined }, 'bad_authorization'],
    [
      'a signature that is not hexadecimal',
      { ...v2, payload: { ...payload, signature: 'x' } },
      'bad_authorization',
    ],
    ['half a byte of signature', { ...v2, payload: { ...payload, signature: '0x1' } }, 'bad_authorization'],
    ['no authorization', { ...v2, payload: { ...payload, authorization: null } }, 'bad_authorization'],
    ...Object.keys(authorization).map((key): [string, unknown, string] => [
      `a bad ${key}`,
      { ...v2, payload: { ...payload, authorization: { ...authorization, [key]: '-1' } } },
      'bad_authorization',
    ]),
  ])('is unreadable with %s', (_, document, fault) => {
    expect(newer(document)).toEqual({ kind: 'unreadable', fault });
  });

  const odd = (key: keyof typeof authorization, text: string) => ({
    ...v2,
    payload: { ...payload, authorization: { ...authorization, [key]: text } },
  });

  // Part of the key by which a payment is spent once.
  it.each(
    (['from', 'to', 'nonce'] as const).flatMap((key) =>
      [`${authorization[key]}0`, `0${authorization[key]}`].map((text) => [key, text] as const),
    ),
  )('is unreadable with a longer %s: %s', (key, text) => {
    expect(newer(odd(key, text))).toEqual({ kind: 'unreadable', fault: 'bad_authorization' });
  });

  it.each<[string, boolean]>([
    ['0x', false],
    [`0x${'ab'.repeat(4_096)}`, true],
    [`0x${'ab'.repeat(4_097)}`, false],
    ['0xabx', false],
    ['x0xab', false],
  ])('has a signature of whole bytes, at most 4,096 of them (%#)', (signature, isRead) => {
    expect(newer({ ...v2, payload: { ...payload, signature } }).kind === 'payment').toBe(isRead);
  });

  it.each(['to', 'validAfter', 'validBefore'] as const)('is not the same with another %s', (key) => {
    const text = key === 'to' ? authorization.from : '7';
    expect(readPayment({ paymentSignature: encode(v2), xPayment: encode(odd(key, text)) })).toEqual({
      kind: 'unreadable',
      fault: 'two_payments',
    });
  });

  it.each([
    'x402Version',
    'payload',
    'accepted',
    ...Object.keys({ ...ENTRY_KEYS, ...payload, ...authorization }),
  ])('is unreadable with two members named %s', (key) => {
    const text = JSON.stringify({ ...v2, extra: { [key]: 1, twin: 2 } }).replace(
      '"twin"',
      JSON.stringify(key),
    );
    expect(readPayment({ paymentSignature: base64(text), xPayment: null })).toEqual({
      kind: 'unreadable',
      fault: 'bad_json',
    });
  });

  it.each<[string, string, string]>([
    ['over its limit', 'A'.repeat(16_385), 'bad_encoding'],
    ['text', base64('pay'), 'bad_json'],
    ['a nonce twice', base64('{"nonce":1,"nonce":2}'), 'bad_json'],
    ['33 levels', base64('{"a":'.repeat(33) + '1'.padEnd(34, '}')), 'bad_json'],
  ])('is unreadable when it is %s', (_, paymentSignature, fault) => {
    expect(readPayment({ paymentSignature, xPayment: null })).toEqual({ kind: 'unreadable', fault });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (document, text) => {
        expect(readPayment({ paymentSignature: encode(document), xPayment: text }).kind).not.toBe('payment');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a buyer's own name for a payment (G67)", () => {
  const named = (extension: unknown) => newer({ ...v2, extensions: { 'payment-identifier': extension } });

  it.each<[string, unknown, string | null]>([
    ['of the shortest length', { info: { required: false, id: 'a'.repeat(16) } }, 'a'.repeat(16)],
    ['of the longest length', { info: { id: 'Z_-9'.repeat(32) } }, 'Z_-9'.repeat(32)],
    ['only offered by us and repeated', { info: { required: false }, schema: {} }, null],
    ['null', null, null],
  ])('%s', (_, extension, identifier) => {
    expect(named(extension)).toMatchObject({ kind: 'payment', payment: { identifier } });
  });

  it.each<[string, unknown]>([
    ['too short', { info: { id: 'a'.repeat(15) } }],
    ['too long', { info: { id: 'a'.repeat(129) } }],
    ['with a blank', { info: { id: 'a name with blanks' } }],
    ['with a line break at its end', { info: { id: `${'a'.repeat(16)}\n` } }],
    ['with a NUL', { info: { id: `${'a'.repeat(16)}\u0000` } }],
    ['a number', { info: { id: 1234567890123456 } }],
    ['null', { info: { id: null } }],
    ['no object', 'a-name-of-a-payment'],
    ['an extension without info', {}],
  ])('cannot be read: %s', (_, extension) => {
    expect(named(extension)).toEqual({ kind: 'unreadable', fault: 'bad_identifier' });
  });
});

describe('a payment that is kept', () => {
  it.each([v1, v2])('is read again as it was', (document) => {
    const reading = newer(document);
    if (reading.kind !== 'payment') throw new Error('not a payment');
    expect(readKeptPayment(keepPayment(reading.payment))).toEqual(reading.payment);
  });

  it.each(['', '[]', '{}', '{"x402Version":2}'])('is not: %j', (text) => {
    expect(readKeptPayment(text)).toBeNull();
  });
});
