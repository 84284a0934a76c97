import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../test/support/judging.ts';
import {
  answered,
  base64,
  bodyOnly,
  ENTRY,
  ENTRY_V1,
  paywall,
  THIEF,
} from '../../../tools/samples/challenge.ts';

/**
 * The header is honest; the body, or another spelling inside the entry, shows a thief to a reader that is more lenient
 * than ours. None of these may be a pay.
 */
const THEFT = { ...ENTRY_V1, payTo: THIEF, maxAmountRequired: '9000000' };
const body = JSON.stringify({ x402Version: 1, accepts: [THEFT] });
const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
const escaped = body.replace('"accepts"', '"\\u0061ccepts"').replace('"x402Version"', '"x402\\u0056ersion"');
const utf16 = Buffer.from(body, 'utf16le');

const withCharset = (outcome: ReturnType<typeof paywall>, charset: string) => ({
  ...outcome,
  headers: [...outcome.headers, ['Content-Type', `application/json; charset=${charset}`] as const],
});

describe('a body that only some readers understand', () => {
  it.each<[string, string | Buffer]>([
    ['plain', body],
    ['deep nesting before escaped keys', escaped.replace('{', `{"x":${deep},`)],
    ['escaped keys', escaped],
    ['padded beyond our limit', body + ' '.repeat(262_144)],
    ['padded beyond our limit in front', ' '.repeat(262_145) + body],
    ['a number that only some parsers take', body.replace(/\}$/, ',"x":NaN}')],
    ['a comma too many', body.replace(/\}$/, ',}')],
    ['text after the object', `${body}\nx`],
    ['a second object', `${body}{}`],
    ['UTF-16', utf16],
    ['UTF-16 with a byte order mark', Buffer.concat([Buffer.of(0xff, 0xfe), utf16])],
    ['UTF-16, the other way round', Buffer.from(utf16).swap16()],
    ['another letter case', body.replace('"accepts"', '"Accepts"')],
    ['another letter case beside an empty list', body.replace('"accepts"', '"accepts":[],"Accepts"')],
    ['an object that passes for a list', JSON.stringify({ accepts: { 0: THEFT, length: 1 } })],
    ['an entry without its list', JSON.stringify({ accepts: THEFT })],
    ['a list inside a text', JSON.stringify({ accepts: JSON.stringify([THEFT]) })],
    ['snake case', JSON.stringify({ x402_version: 1, accepts: [THEFT] })],
    ['a list of its members', ` [ 1, ${JSON.stringify([THEFT])}, "pay"]`],
    [
      'an offer that vouches under another scheme',
      JSON.stringify({ accepts: [{ ...ENTRY_V1, scheme: 'upto' }, THEFT] }),
    ],
    [
      'an offer that vouches and contradicts itself',
      JSON.stringify({ accepts: [{ ...ENTRY_V1, pay_to: THIEF }] }),
    ],
  ])('%s', (_, hidden) => {
    expect(verdictOf(paywall([ENTRY], { body: Buffer.from(hidden) }))).toMatchObject({
      reason: 'bad_challenge',
    });
  });

  it.each([
    '"UTF-7"',
    'utf-16',
    'raw_unicode_escape',
    'cp037',
    'punycode',
    'x'.repeat(41),
    'utf-8; charset=utf-7',
  ])('in a charset of its own: %s', (charset) => {
    const outcome = paywall([ENTRY], { body: Buffer.from('+AHsAIg-x') });
    expect(verdictOf(withCharset(outcome, charset))).toMatchObject({ reason: 'bad_challenge' });
  });

  it.each(['utf-7', 'raw_unicode_escape'])('in a charset of its own, without a header: %s', (charset) => {
    const alone = bodyOnly(JSON.stringify({ x402Version: 1, accepts: [ENTRY_V1] }));
    expect(verdictOf(alone).verdict).toBe('pay');
    expect(verdictOf(withCharset(alone, charset))).toMatchObject({ reason: 'bad_challenge' });
  });

  it.each([
    ...['UTF-8', '"utf8"', "'utf-8' ; q=1", 'us-ascii', 'ASCII', 'latin1', 'ISO-8859-1', 'iso8859-15', ''],
    ...['windows-1252', 'cp1251'],
  ])('unless the charset changes nothing: %s', (charset) => {
    const alone = bodyOnly(JSON.stringify({ x402Version: 1, accepts: [ENTRY_V1] }));
    expect(verdictOf(withCharset(alone, charset)).verdict).toBe('pay');
  });

  it.each(['gb2312', 'Shift_JIS', 'utf-16', 'unknown'])(
    'unless it is a web page, which is no JSON in any charset: %s',
    (charset) => {
      const page = paywall([ENTRY], { body: Buffer.from('\n<html>\xb8\xb6\xbf\xee</html>', 'latin1') });
      expect(verdictOf(withCharset(page, charset)).verdict).toBe('pay');
    },
  );

  it('unless the charset is named with a colon', () => {
    const answer = paywall([ENTRY], { body: Buffer.from('{}') });
    const headers = [...answer.headers, ['Content-Type', 'application/json; charset: utf-8'] as const];
    expect(verdictOf({ ...answer, headers }).verdict).toBe('pay');
  });

  it.each([body.slice(0, 20), ' [', '[1, [{'])('cut off: %s', (beginning) => {
    const cut = paywall([ENTRY], { body: Buffer.from(beginning), bodyComplete: false });
    expect(verdictOf(cut)).toMatchObject({ reason: 'bad_challenge' });
  });
});

/** The x402 client for Python leaves out '-' and '_' of a header and decodes the rest. */
describe('a header in the url-safe alphabet', () => {
  const withHeader = (value: string) => answered({ headers: [['payment-required', value]] });
  const terms = (scheme: string, error: string) =>
    JSON.stringify({ error, x402Version: 2, accepts: [{ ...ENTRY, scheme, payTo: THIEF }, ENTRY] });

  it.each(['', ' ', '\n \t'])('is refused where the rest is an object, before %j', (end) => {
    const text = terms('ex???act', '') + end;
    // Three bytes that have four characters of their own.
    const blanks = ' '.repeat(2 - ((text.indexOf('???') + 2) % 3));
    const value = base64(blanks + text).replace('Pz8/', '----');
    expect(value).toContain('----');
    expect(verdictOf(withHeader(value))).toMatchObject({ fault: { kind: 'unreadable' } });
  });

  it.each(['?', '~~', '>>>', 'https://a.example/?a=1&b=2~', '????????????', 'é>ÿ?'])(
    'is read where the rest is no text: %s',
    (error) => {
      for (const end of ['', ' ', '  ']) {
        const value = Buffer.from(terms('upto', error) + end).toString('base64url');
        expect(verdictOf(withHeader(value)).verdict).toBe('pay');
      }
    },
  );
});

/** The usual JSON library of Rust takes a list for an object: the members in the order of their declaration. */
describe('a list for an object', () => {
  const { scheme, network, amount, asset, maxTimeoutSeconds, extra } = ENTRY;
  const theft = [scheme, network, '990000', THIEF, maxTimeoutSeconds, asset, extra];

  it.each<[string, unknown[]]>([
    ['before the honest entry', [theft, ENTRY]],
    ['behind it', [ENTRY, theft]],
    [
      'in version 1',
      [['exact', 'base', '9000000', 'https://a.example', '', null, null, THIEF, 60, asset], ENTRY],
    ],
  ])('%s', (_, entries) => {
    expect(verdictOf(paywall(entries))).toMatchObject({
      reason: 'bad_challenge',
      fault: { kind: 'other_payee' },
    });
  });

  it('in extra, of a permit', () => {
    const byPermit = { ...ENTRY, extra: ['permit2', 'USD Coin', '2'] };
    expect(verdictOf(paywall([byPermit]))).toMatchObject({ fault: { kind: 'other_method' } });
    expect(verdictOf(paywall([byPermit, ENTRY]))).toMatchObject({ fault: { kind: 'odd_entry' } });
  });

  it.each<[string, unknown[]]>([
    ['an entry of another scheme', [['upto', network, amount, THIEF, 60, asset, extra], ENTRY]],
    ['an empty entry', [[], ENTRY]],
    ['an empty extra', [{ ...ENTRY, extra: [] }]],
  ])('does no harm: %s', (_, entries) => {
    expect(verdictOf(paywall(entries)).verdict).toBe('pay');
  });
});

describe('another spelling inside the entry', () => {
  it.each<[string, object]>([
    ['a capital', { PayTo: THIEF }],
    ['snake case', { pay_to: THIEF }],
    ['an amount in snake case', { max_amount_required: '9000000' }],
    ['an amount with a capital', { Amount: '9000000' }],
    ['a look-alike letter', { networ\u212a: 'eip155:1' }],
    ['a scheme with a capital', { Scheme: 'upto' }],
    ['an asset with a hyphen', { 'as-set': THIEF }],
    ['a payee that is no text', { pay_to: [THIEF] }],
    ['a time limit with a capital', { MaxTimeoutSeconds: 315_360_000 }],
    ['a time limit in snake case', { max_timeout_seconds: '60' }],
    ['another extra', { Extra: { verifyingContract: THIEF } }],
    ['a byte that some readers drop', { 'payTo\ufffd': THIEF }],
  ])('%s', (_, other) => {
    const verdict = verdictOf(paywall([{ ...ENTRY, ...other }]));
    expect(verdict).toMatchObject({ reason: 'bad_challenge', fault: { kind: 'spelled_twice' } });
  });

  it('does no harm when it says the same', () => {
    const same = {
      max_timeout_seconds: 300,
      PAY_TO: null,
      pay_to: ENTRY.payTo.toLowerCase(),
      max_amount_required: '10000',
      Network: 'base',
      SCHEME: 'exact',
    };
    expect(verdictOf(paywall([{ ...ENTRY, ...same }])).verdict).toBe('pay');
  });

  const { payTo: _, amount: __, ...rest } = ENTRY;
  const { scheme: ___, ...unschemed } = { ...ENTRY, payTo: THIEF };
  it.each<[string, object]>([
    ['the payee in snake case alone', { ...rest, amount: '10000', pay_to: THIEF }],
    ['payee and amount in snake case', { ...rest, max_amount_required: '990000', pay_to: THIEF }],
    ['beside null', { ...ENTRY, payTo: null, PAYTO: THIEF }],
    ['beside an empty text', { ...ENTRY, payTo: '', pay_to: THIEF }],
    ['before another that cannot be used', { ...rest, amount: '10000', pay_to: THIEF, PAYTO: 5 }],
    ['behind another that cannot be used', { ...rest, amount: '10000', PAYTO: 5, pay_to: THIEF }],
    ['the scheme with a capital', { ...unschemed, Scheme: 'exact' }],
    ['of two schemes', { ...unschemed, SCHEME: 'upto', Scheme: 'exact' }],
    ['another payee', { ...ENTRY, PAYTO: THIEF }],
    ['another amount', { ...ENTRY, AMOUNT: '9900000' }],
  ])('in an entry before the honest one: %s', (_, entry) => {
    expect(verdictOf(paywall([ENTRY, entry]))).toMatchObject({ reason: 'bad_challenge' });
    expect(verdictOf(paywall([entry, ENTRY]))).toMatchObject({ reason: 'bad_challenge' });
    const inBody = Buffer.from(JSON.stringify({ x402Version: 2, accepts: [entry, ENTRY] }));
    expect(verdictOf(paywall([ENTRY], { body: inBody }))).toMatchObject({ reason: 'bad_challenge' });
  });

  it('of the same terms in an entry of its own does no harm', () => {
    const snake = { ...rest, max_amount_required: '10000', pay_to: ENTRY.payTo, max_timeout_seconds: 60 };
    expect(verdictOf(paywall([snake, ENTRY])).verdict).toBe('pay');
    const upto = { ...snake, scheme: 'upto', pay_to: THIEF };
    expect(verdictOf(paywall([upto, ENTRY])).verdict).toBe('pay');
  });

  it('at the top of the header makes it ambiguous', () => {
    const document = JSON.stringify({ x402Version: 2, accepts: [ENTRY], Accepts: [THEFT] });
    const outcome = { ...bodyOnly(''), headers: [['payment-required', base64(document)] as const] };
    expect(verdictOf(outcome)).toMatchObject({ reason: 'bad_challenge', fault: { kind: 'unreadable' } });
  });
});

describe('a body that no reader takes for a challenge', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['blanks', ' \r\n'],
    ['a web page', `<!doctype html><script>${body}</script>`],
    ['a web page beyond our limit', `<html>${'x'.repeat(262_144)}`],
    ['text', 'Payment Required'],
    ['a list', '[]'],
    ['a list of words', '["payment required", 402]'],
    ['an error without terms', '{"error":"payment required","amount":1,"amount":2}'],
  ])('leaves the header alone: %s', (_, text) => {
    expect(verdictOf(paywall([ENTRY], { body: Buffer.from(text) })).verdict).toBe('pay');
  });
});
