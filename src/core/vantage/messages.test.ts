import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../test/support/canonical.ts';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { OUTCOMES, outcome } from '../../../test/support/random-checks.ts';
import { sized } from '../../../test/support/sized.ts';
import { cosign, noteKeyText, signNote } from '../log/note.ts';
import { seenIn } from '../statement/seen.ts';
import { observe } from '../verdict/observation.ts';
import type { ProbeOutcome } from '../verdict/probe-outcome.ts';
import { isSignedView, openRequest, signObservation, signRequest, viewOf } from './messages.ts';
import { observationText, readObservationText } from './observation-text.ts';
import { readRequestText, requestHash, requestText, type VantageRequest } from './request-text.ts';

const CLIENT = seededSigner('assay.example/vantages');
const VANTAGE = seededSigner('vantage.example/v1');
const STRANGER = seededSigner('vantage.example/v1', 1, 'another seed');
const AT = new Date('2026-11-15T12:00:00.123Z');
const HASH = 'ab'.repeat(32);
const REQUEST: VantageRequest = {
  at: AT,
  body: '{"q":"\\u0001 \u00e9"}',
  method: 'POST',
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
  to: 'vantage.example/v1',
  url: 'https://api.example.com/data?q=%22&r=\\',
};
const REQUEST_LINE =
  '{"at":"2026-11-15T12:00:00.123Z","body":"{\\"q\\":\\"\\\\u0001 é\\"}","method":"POST",' +
  '"nonce":"AAECAwQFBgcICQoLDA0ODw","to":"vantage.example/v1","url":"https://api.example.com/data?q=%22&r=\\\\"}';
const TEXT = `assay-vantage/1 request\n${REQUEST_LINE}\n`;

const statedOf = (probed: ProbeOutcome) => ({ at: AT, request: HASH, seen: seenIn(observe(probed, AT)) });
const [PAYWALL = { kind: 'blocked' }] = OUTCOMES;
const OBSERVED = observationText(statedOf(PAYWALL));

const noteOf = (probed: ProbeOutcome = PAYWALL) => signObservation(statedOf(probed), VANTAGE) ?? '';
const sentOf = (changes: Partial<VantageRequest> = {}) => {
  const sent = signRequest({ ...REQUEST, ...changes }, CLIENT);
  if (sent === null) throw new Error('it should be a request');
  return sent;
};

describe('the text of a request', () => {
  it('has two lines, the second in canonical form', () => {
    expect(requestText(REQUEST)).toBe(TEXT);
    expect(canonical(JSON.parse(REQUEST_LINE))).toBe(REQUEST_LINE);
    expect(readRequestText(TEXT)).toEqual(REQUEST);
  });

  it.each<[string, Partial<VantageRequest>]>([
    ['input with GET', { method: 'GET' }],
    ['4,097 characters of input', { body: 'x'.repeat(4_097) }],
    ['half of a surrogate pair', { body: '\ud800' }],
    ['a URL with half of a surrogate pair', { url: 'https://a.example/\udc00' }],
    ['a URL of 2,049 bytes', { url: `${'é'.repeat(1_024)}x` }],
    ['a nonce of 15 bytes', { nonce: 'AAECAwQFBgcICQoLDA0O' }],
    ['a nonce in another spelling', { nonce: 'AAECAwQFBgcICQoLDA0ODx' }],
    ['a name that no key has', { to: 'a b' }],
    ['no name', { to: '' }],
    ['no time', { at: new Date(Number.NaN) }],
    ['a year that ISO writes with a sign', { at: new Date(-62_198_755_200_000 * 2) }],
  ])('is none with %s', (_, changes) => {
    expect(readRequestText(requestText({ ...REQUEST, ...changes }))).toBeNull();
    expect(signRequest({ ...REQUEST, ...changes }, CLIENT)).toBeNull();
  });

  it.each<[string, string]>([
    ['another order of the members', TEXT.replace('{"at":', '{"x":1,"at":')],
    ['a blank', TEXT.replace('","method', '", "method')],
    ['another spelling of a character', TEXT.replace('é', '\\u00e9')],
    ['a repeated member', TEXT.replace('"method":"POST"', '"method":"POST","method":"POST"')],
    ['another version', TEXT.replace('/1 request', '/2 request')],
    ['a third line', `${TEXT}{}\n`],
    ['no second line', 'assay-vantage/1 request\n'],
    ['a day that no month has', TEXT.replace('2026-11-15', '2026-02-31')],
    ['a list', 'assay-vantage/1 request\n[]\n'],
    ['a value for what is absent', TEXT.replace(/"body":"[^,]*,/, '"body":null,')],
  ])('is none with %s', (_, text) => {
    expect(text).not.toBe(TEXT);
    expect(readRequestText(text)).toBeNull();
  });

  it('survives a note with every text that JSON escapes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        (body, url) => {
          const { note, hash } = sentOf({ body, url });
          const opened = openRequest(note, [CLIENT.key]);
          expect(opened).toEqual({ request: { ...REQUEST, body, url }, hash, client: CLIENT.key });
        },
      ),
      { numRuns: sized(300, 5_000) },
    );
  });
});

describe('a signed request', () => {
  const { note, hash } = sentOf();

  it('is opened by the key of its client only', () => {
    expect(hash).toBe(requestHash(TEXT));
    expect(openRequest(note, [VANTAGE.key, CLIENT.key])).toMatchObject({ hash, client: CLIENT.key });
    expect(openRequest(note, [VANTAGE.key])).toBe('unsigned');
    expect(openRequest(note, [])).toBe('unsigned');
  });

  it.each<[string, string, string]>([
    ['no note', TEXT, 'malformed'],
    ['nothing', '', 'malformed'],
    ['a second signature', signNote(TEXT, [CLIENT, VANTAGE]), 'unsigned'],
    ['the same signature twice', signNote(TEXT, [CLIENT, CLIENT]), 'unsigned'],
    ['an observation by the same key', signNote(OBSERVED, [CLIENT]), 'malformed'],
    ['another text in the note', signNote('assay-vantage/1 request\n{}\n', [CLIENT]), 'malformed'],
  ])('is refused as %s', (_, changed, why) => {
    expect(openRequest(changed, [CLIENT.key])).toBe(why);
  });

  it('is not a cosignature, whatever key made it', () => {
    const cosigner = seededSigner('assay.example/vantages', 4);
    expect(openRequest(`${TEXT}\n${cosign(TEXT, 1, cosigner)}`, [cosigner.key])).toBe('unsigned');
  });

  it('with any byte changed is refused', () => {
    const bytes = Buffer.from(note);
    for (let at = 0; at < bytes.length; at += 1) {
      for (const flip of [1, 0x20, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(openRequest(changed.toString(), [CLIENT.key])).toBeTypeOf('string');
      }
    }
  });
});

describe('the text of an observation', () => {
  it('has two lines, the second in canonical form', () => {
    const [first, second = '', end] = OBSERVED.split('\n');
    expect([first, end]).toEqual(['assay-vantage/1 observation', '']);
    expect(canonical(JSON.parse(second))).toBe(second);
    expect(observationText(statedOf({ kind: 'timed_out' }))).toBe(
      `assay-vantage/1 observation\n{"at":"2026-11-15T12:00:00.123Z","request":"${HASH}","seen":{"kind":"timed_out"}}\n`,
    );
  });

  it('says all that was seen, and goes through a note', () => {
    fc.assert(
      fc.property(outcome, (probed) => {
        const stated = statedOf(probed);
        expect(readObservationText(observationText(stated))).toEqual(stated);
        const view = viewOf(noteOf(probed), VANTAGE.key, HASH);
        expect(view).toMatchObject({ ...stated, vantage: noteKeyText(VANTAGE.key) });
        expect(view !== null && isSignedView(view)).toBe(true);
      }),
      { numRuns: sized(300, 5_000), examples: OUTCOMES.map((probed) => [probed]) },
    );
  });

  it('is not sent, nor read, beyond its limit', () => {
    const entry = { scheme: 'exact', network: null, asset: 'x'.repeat(128), amountAtomic: 1n } as const;
    const more = { maxTimeoutSeconds: null, validBeforeMs: null, selfContradictory: false } as const;
    const offer = { ...entry, ...more, payTo: 'y'.repeat(128), transfer: 'ordinary' } as const;
    const challenge = {
      kind: 'readable',
      source: 'header',
      x402Version: 2,
      offers: [offer, ...Array.from({ length: 63 }, () => offer)],
      bodyOffers: Array.from({ length: 64 }, () => offer),
      demands: Array.from({ length: 128 }, () => ({ ...offer, chain: 'evm' as const })),
      hasMoreEntries: false,
    } as const;
    const evidence = { paymentRequiredSha256: null, bodySha256: null };
    const seen = {
      ...({ kind: 'answered', status: 402, challenge, freeTrial: null, evidence } as const),
      ...{ refusal: null, input: null },
    };
    const stated = { at: AT, request: HASH, seen };
    expect(observationText(stated).length).toBeGreaterThan(65_536);
    expect(signObservation(stated, VANTAGE)).toBeNull();
    expect(readObservationText(observationText(stated))).toBeNull();
    expect(viewOf(signNote(observationText(stated), [VANTAGE]), VANTAGE.key, HASH)).toBeNull();
  });
});

describe('a signed observation', () => {
  it.each<[string, () => ReturnType<typeof viewOf>]>([
    ['by another key of the same name', () => viewOf(noteOf(), STRANGER.key, HASH)],
    ['of another request', () => viewOf(noteOf(), VANTAGE.key, 'ba'.repeat(32))],
    ['that is a request', () => viewOf(signNote(TEXT, [VANTAGE]), VANTAGE.key, requestHash(TEXT))],
    ['with a second signature', () => viewOf(signNote(OBSERVED, [VANTAGE, CLIENT]), VANTAGE.key, HASH)],
    ['without a note', () => viewOf(OBSERVED, VANTAGE.key, HASH)],
  ])('%s is no view', (_, read) => {
    expect(viewOf(noteOf(), VANTAGE.key, HASH)).not.toBeNull();
    expect(read()).toBeNull();
  });

  it('with any byte changed is no view', () => {
    const bytes = Buffer.from(noteOf());
    for (let at = 0; at < bytes.length; at += 1) {
      for (const flip of [1, 0x20, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(viewOf(changed.toString(), VANTAGE.key, HASH)).toBeNull();
      }
    }
  });

  it('is verified again from the view alone, and no changed view is', () => {
    const view = viewOf(noteOf(), VANTAGE.key, HASH);
    if (view === null) throw new Error('it should be a view');
    expect(isSignedView(view)).toBe(true);
    const other = Buffer.alloc(64, 7).toString('base64');
    const changes: Partial<typeof view>[] = [
      { vantage: noteKeyText(STRANGER.key) },
      { vantage: noteKeyText(seededSigner('vantage.example/v1', 4).key) },
      { vantage: 'nonsense' },
      { request: 'ba'.repeat(32) },
      { request: HASH.toUpperCase() },
      { at: new Date(AT.getTime() + 1) },
      { at: new Date(Number.NaN) },
      { seen: { kind: 'timed_out' } },
      { signature: other },
      { signature: '' },
      { signature: `${view.signature}=` },
    ];
    for (const change of changes) expect(isSignedView({ ...view, ...change })).toBe(false);
  });

  it('hostile texts are refused without a throw', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n\n', '\0', '—', '{', '"', '\\u0000', '__proto__', '\ud800', OBSERVED, TEXT),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.nat({ max: 900 }), fc.nat({ max: 40 }), piece, (from, length, inserted) => {
        for (const good of [noteOf(), sentOf().note, OBSERVED, TEXT]) {
          const changed = good.slice(0, from) + inserted + good.slice(from + length);
          if (changed === good) continue;
          expect(openRequest(changed, [CLIENT.key])).toBeTypeOf('string');
          expect(viewOf(changed, VANTAGE.key, HASH)).toBeNull();
        }
      }),
      { numRuns: sized(500, 10_000) },
    );
  });
});
