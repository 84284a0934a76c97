import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../test/support/sized.ts';
import {
  answered,
  base64,
  bodyOnly,
  ENTRY,
  ENTRY_V1,
  header,
  paywall,
  THIEF,
} from '../../../tools/samples/challenge.ts';
import { readChallenge } from './challenge.ts';

const v2 = (accepts: unknown) => JSON.stringify({ x402Version: 2, accepts });
const bytes = (text: string) => new TextEncoder().encode(text);

describe('where the terms are read', () => {
  it('in the version 2 header', () => {
    expect(readChallenge(paywall([ENTRY]))).toEqual({
      kind: 'readable',
      source: 'header',
      x402Version: 2,
      offers: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          asset: ENTRY.asset,
          amountAtomic: 10_000n,
          payTo: ENTRY.payTo,
          maxTimeoutSeconds: 60,
          validBeforeMs: null,
          selfContradictory: false,
          transfer: 'ordinary',
        },
      ],
      bodyOffers: null,
      demands: [
        {
          chain: 'evm',
          payTo: ENTRY.payTo,
          network: 'eip155:8453',
          asset: ENTRY.asset,
          amountAtomic: 10_000n,
          transfer: 'ordinary',
        },
      ],
      hasMoreEntries: false,
    });
  });

  it.each<[string, ReturnType<typeof answered>, object]>([
    ['in the body when there is no header', bodyOnly(v2([ENTRY])), { source: 'body', x402Version: 2 }],
    [
      'in the body when the header is empty',
      { ...bodyOnly(v2([ENTRY])), headers: [['payment-required', ' \t']] },
      { source: 'body' },
    ],
    [
      'in a version 1 body',
      bodyOnly(JSON.stringify({ x402Version: 1, accepts: [ENTRY_V1] })),
      { x402Version: 1 },
    ],
    [
      'without a version, by its shape',
      bodyOnly(JSON.stringify({ accepts: [ENTRY_V1] })),
      { x402Version: null },
    ],
    [
      'in a header with blanks around it',
      answered({ headers: [['Payment-Required', `\t${base64(v2([ENTRY]))} `]] }),
      { source: 'header' },
    ],
    ['after a byte order mark', bodyOnly(`\ufeff${v2([ENTRY])}`), { source: 'body' }],
    [
      'in a header beside a web page that was cut off',
      paywall([ENTRY], { body: bytes('<html>'), bodyComplete: false }),
      { bodyOffers: null },
    ],
    [
      'in a header beside a body without terms',
      paywall([ENTRY], { body: bytes('{"error":"pay"}') }),
      { bodyOffers: null },
    ],
    [
      'in a header beside a body of an unknown version without terms',
      paywall([ENTRY], { body: bytes('{"x402Version":3,"error":"pay"}') }),
      { bodyOffers: null },
    ],
    [
      'in a header beside an empty accepts',
      paywall([ENTRY], { body: bytes('{"accepts":[]}') }),
      { bodyOffers: null },
    ],
    ['in a header beside a text body', paywall([ENTRY], { body: bytes('pay me') }), { bodyOffers: null }],
  ])('%s', (_, answer, expected) => {
    expect(readChallenge(answer)).toMatchObject({ kind: 'readable', ...expected });
  });

  it('keeps what the body asks beside a header', () => {
    const body = bytes(JSON.stringify({ x402Version: 1, accepts: [{ ...ENTRY_V1, payTo: THIEF }] }));
    expect(readChallenge(paywall([ENTRY], { body }))).toMatchObject({ bodyOffers: [{ payTo: THIEF }] });
  });

  it.each<[string, string]>([
    ['terms that cannot be read', JSON.stringify({ accepts: [{ payTo: THIEF }] })],
    ['a money key twice', `{"accepts":[{"payTo":"${THIEF}","payTo":"${ENTRY.payTo}"}]}`],
    ['an unknown version', JSON.stringify({ x402Version: 3, accepts: [ENTRY] })],
  ])('lets a body vouch for nothing when it carries %s', (_, text) => {
    expect(readChallenge(paywall([ENTRY], { body: bytes(text) }))).toMatchObject({ bodyOffers: [] });
  });

  it('reads 64 entries and no more', () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ ...ENTRY, amount: String(index) }));
    const challenge = readChallenge(bodyOnly(v2(many)));
    expect(challenge.kind === 'readable' && challenge.offers.length).toBe(64);
  });

  it('is not spoiled by a broken neighbour', () => {
    const challenge = readChallenge(paywall([null, { ...ENTRY, amount: -1 }, ENTRY, 'x', []]));
    expect(challenge).toMatchObject({ offers: [{ amountAtomic: 10_000n }] });
  });
});

describe('an answer that does not claim to be a challenge (G34)', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['text', 'Payment Required'],
    ['an empty object', '{}'],
    ['an array', '[]'],
    ['other JSON', '{"error":"payment_required","price":1}'],
    ['a key that is only inherited', '{"__proto__":{"accepts":[]}}'],
    ['a money key twice, in a body about something else', '{"amount":1,"amount":2}'],
    ['deep nesting about something else', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['a money key twice in what is no JSON', '{"accepts":[{"payTo":1,"payTo":2}'],
  ])('%s', (_, text) => {
    expect(readChallenge(bodyOnly(text))).toEqual({ kind: 'none' });
  });
});

describe('a challenge that cannot be read (G33, G34)', () => {
  it.each<[string, ReturnType<typeof answered>, string]>([
    ['a repeated header', answered({ headers: [header({}), header({})] }), 'repeated_header'],
    [
      'a header and an empty one',
      answered({ headers: [header({ accepts: [ENTRY] }), ['payment-required', '']] }),
      'repeated_header',
    ],
    [
      'two headers joined by a comma',
      answered({ headers: [['payment-required', 'YQ==, YQ==']] }),
      'bad_encoding',
    ],
    ['raw JSON in the header', answered({ headers: [['payment-required', v2([ENTRY])]] }), 'bad_encoding'],
    ['text in the header', answered({ headers: [['payment-required', base64('pay')]] }), 'bad_json'],
    ['an array in the header', answered({ headers: [header([])] }), 'bad_json'],
    ['an empty object in the header', answered({ headers: [header({})] }), 'no_entries'],
    [
      'a broken header beside a good body',
      { ...bodyOnly(v2([ENTRY])), headers: [['payment-required', '!']] },
      'bad_encoding',
    ],
    [
      'a header over its limit',
      answered({ headers: [['payment-required', 'A'.repeat(65_537)]] }),
      'too_large',
    ],
    ['a body over its limit', bodyOnly(`{"accepts":[],"x":"${'x'.repeat(262_144)}"}`), 'too_large'],
    ['a body that was cut off', { ...bodyOnly('{'), bodyComplete: false }, 'too_large'],
    [
      'a version in quotes',
      answered({ headers: [header({ x402Version: '2', accepts: [ENTRY] })] }),
      'bad_version',
    ],
    [
      'a version that is null',
      answered({ headers: [header({ x402Version: null, accepts: [ENTRY] })] }),
      'bad_version',
    ],
    [
      'a version to come',
      answered({ headers: [header({ x402Version: 3, accepts: [ENTRY] })] }),
      'bad_version',
    ],
    ['a version alone', bodyOnly('{"x402Version":2}'), 'no_entries'],
    ['accepts that is an object', bodyOnly(v2({ 0: ENTRY, length: 1 })), 'no_entries'],
    ['accepts that is empty', bodyOnly(v2([])), 'no_entries'],
    ['entries that are no objects', bodyOnly(v2([null, 1, 'x'])), 'no_readable_entry'],
    ...[
      'payTo',
      'amount',
      'maxAmountRequired',
      'network',
      'asset',
      'scheme',
      'maxTimeoutSeconds',
      'extra',
    ].map((key): [string, ReturnType<typeof answered>, string] => [
      `${key} twice`,
      bodyOnly(`{"accepts":[{"${key}":"a","${key}":"a"}]}`),
      'ambiguous_json',
    ]),
    ['accepts twice', bodyOnly('{"accepts":[],"accepts":[]}'), 'ambiguous_json'],
    ['33 levels', bodyOnly(`{"accepts":${'['.repeat(32)}${']'.repeat(32)}}`), 'ambiguous_json'],
  ])('%s', (_, answer, fault) => {
    expect(readChallenge(answer)).toEqual({ kind: 'unreadable', fault });
  });
});

describe('no input of the parser throws', () => {
  it('neither any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (body, value) => {
        const { kind } = readChallenge(answered({ body, headers: [['payment-required', value]] }));
        expect(['none', 'unreadable', 'readable']).toContain(kind);
      }),
      { numRuns: sized(500, 2_000) },
    );
  });

  it('nor any JSON value in the place of any member', () => {
    const keys = fc.constantFrom('x402Version', 'accepts', ...Object.keys(ENTRY), 'validBefore', '__proto__');
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => {
        const entry = { ...ENTRY, [key]: value };
        const document = { x402Version: 2, accepts: [entry], [key]: value };
        expect(readChallenge(answered({ headers: [header(document)] })).kind).not.toBe('none');
      }),
      { numRuns: sized(500, 5_000) },
    );
  });
});
