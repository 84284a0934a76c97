import { describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP, LOOKUP_PAID, PACK } from '../support/asking.ts';
import { expectDelivered, expectRefused } from '../support/paying/paying-answers.ts';
import { type Document, documentOf, encoded, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { sendRaw } from '../support/running/raw-http.ts';
import { BOTH_DOORS } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const PATH = `${LOOKUP_PAID}?task=weather`;
const terms = { key: buyerOf(chain).key, to: chain.accounts.seller.address, value: 20_000n };
const signed = await signAuthorization(terms);
const good: Document = documentOf(paymentHeader(signed));
const older: Document = documentOf(paymentHeader(signed, { version: 1 }));
const text = JSON.stringify(good);
const base64 = (plain: string) => Buffer.from(plain).toString('base64');
const authorized = (changes: object) => ({
  ...good,
  payload: { ...good.payload, authorization: { ...good.payload.authorization, ...changes } },
});
const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));

const MALFORMED: [why: string, header: string][] = [
  ['not base64', '%%% not base64 %%%'],
  ['base64 of mixed alphabets', `-_+/${base64(text)}`],
  ['base64 cut short in the middle', base64(text).slice(0, -7)],
  ['base64 with a tail', `${base64(text)}====`],
  ['a blank in the base64', `${base64(text).slice(0, 8)} ${base64(text).slice(8)}`],
  ['plain JSON', text],
  ['not JSON', base64('{"x402Version":2,')],
  ['two documents', base64(text + text)],
  ['a list', base64('[]')],
  ['a list of payments', encoded([good, good])],
  ['a number', base64('2')],
  ['a text', base64('"2"')],
  ['null', base64('null')],
  ['an empty object', base64('{}')],
  ['nothing but a NUL', base64('\u0000')],
  ['a NUL behind the document', base64(`${text}\u0000`)],
  ['a NUL in an address', encoded(authorized({ from: `${good.payload.authorization.from}\u0000` }))],
  ['a raw control character in a text', base64(text.replace('exact', 'exa\u0001ct'))],
  ['nested 10,000 deep', base64('['.repeat(10_000))],
  [
    'nested 5,000 deep in an extension',
    base64(text.replace(/}$/, `,"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)),
  ],
  ['two payloads', base64(text.replace(/}$/, `,"payload":${JSON.stringify(good.payload)}}`))],
  ['two payees', base64(text.replace('"to":', '"to":"0x00000000000000000000000000000000000051DE","to":'))],
  ['everything in __proto__', base64(`{"__proto__":${text}}`)],
  ['the payload in __proto__', base64(`{"x402Version":2,"__proto__":{"payload":{}},"accepted":{}}`)],
  ['no version', encoded(without('x402Version'))],
  ['version 3', encoded({ ...good, x402Version: 3 })],
  ['version 0', encoded({ ...good, x402Version: 0 })],
  ['a version that is a text', encoded({ ...good, x402Version: '2' })],
  ['a version that is a list', encoded({ ...good, x402Version: [2] })],
  ['no payload', encoded(without('payload'))],
  ['a payload that is a list', encoded({ ...good, payload: [good.payload] })],
  ['nothing accepted', encoded(without('accepted'))],
  ['a list accepted', encoded({ ...good, accepted: [good.accepted] })],
  ['version 1 in the shape of version 2', encoded({ ...good, x402Version: 1 })],
  ['version 2 in the shape of version 1', encoded({ ...older, x402Version: 2 })],
  ['no signature', encoded({ ...good, payload: { authorization: good.payload.authorization } })],
  ['a signature that is no hex', encoded({ ...good, payload: { ...good.payload, signature: 'yes' } })],
  ['an empty signature', encoded({ ...good, payload: { ...good.payload, signature: '0x' } })],
  ['no authorization', encoded({ ...good, payload: { signature: good.payload.signature } })],
  ['a payer that is no address', encoded(authorized({ from: '0x12' }))],
  ['a nonce that is too short', encoded(authorized({ nonce: '0x12' }))],
  ['an amount that is a number', encoded(authorized({ value: 20_000 }))],
  ['an amount in hex', encoded(authorized({ value: '0x4e20' }))],
  ['an amount with a point', encoded(authorized({ value: '20000.0' }))],
  ['a negative amount', encoded(authorized({ value: '-20000' }))],
  ['an amount of 2^256', encoded(authorized({ value: (2n ** 256n).toString() }))],
  ['a negative end', encoded(authorized({ validBefore: '-1' }))],
  ['an end beyond all numbers', encoded(authorized({ validBefore: '9'.repeat(79) }))],
  ['a network without a name', encoded({ ...good, accepted: { ...good.accepted, network: 'constructor' } })],
];

describe.each(BOTH_DOORS)('PAY-12: a payment that cannot be read, through the %s', (door) => {
  const paying = usePaying({ chain, door });

  it.each(MALFORMED)('%s', async (_, header) => {
    for (const version of [2, 1] as const) {
      const { result, taken } = await takingsOf(chain, () =>
        paying.ask(PATH, withPayment(header, { version })),
      );
      expectRefused(result, 'payment_malformed');
      expect(taken).toEqual([]);
    }
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
    expect(paying.faults).toEqual([]);
  });

  it.each<[string, string]>([
    ['a lookup past the quota', `${LOOKUP}?task=weather`],
    ['a spot-check', checkOf('http://seller.example/honest')],
    ['the pack', PACK],
  ])('on every route: %s', async (_, path) => {
    expectRefused(await paying.ask(path, withPayment('%%%')), 'payment_malformed');
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });

  it('beside a good one: neither is touched', async () => {
    for (const headers of [
      { 'payment-signature': base64(text), 'x-payment': '%%%' },
      { 'payment-signature': '%%%', 'x-payment': base64(text) },
    ]) {
      expectRefused(await paying.ask(PATH, { headers }), 'payment_malformed');
    }
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });

  it('an empty header is no payment', async () => {
    expectRefused(await paying.ask(PATH, withPayment('')), 'Payment required');
  });

  it('PAY-04: two different payments, and neither is verified', async () => {
    const other = paymentHeader(await signAuthorization(terms), { version: 1 });
    const headers = { 'payment-signature': base64(text), 'x-payment': other };
    for (const path of [PATH, `${LOOKUP}?task=weather`, checkOf('http://seller.example/dear'), PACK]) {
      const { result, taken } = await takingsOf(chain, () => paying.ask(path, { headers }));
      expectProblem(result, 400, 'bad_request', 'PAYMENT-SIGNATURE');
      expect(taken).toEqual([]);
    }
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });
});

describe('PAY-12: a payment of any size', () => {
  const app = usePaying({ chain });
  const socket = usePaying({ chain, door: 'socket' });
  const huge = encoded({ ...good, note: 'x'.repeat(1_000_000) });

  it('of 1 MB is not looked at', async () => {
    expectRefused(await app.ask(PATH, withPayment(huge)), 'payment_malformed');
    expect(app.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });

  it('sent twice over in one request is none', async () => {
    const mine = paymentHeader(await signAuthorization(terms));
    for (const other of [mine, paymentHeader(await signAuthorization(terms))]) {
      const lines = [mine, other].map((header) => `payment-signature: ${header}\r\n`).join('');
      const [answer] = await sendRaw(
        socket.address ?? '',
        `GET ${PATH} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines}\r\n`,
      );
      expect([answer?.status, JSON.parse(answer?.body ?? '').error]).toEqual([402, 'payment_malformed']);
    }
    expect(socket.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  });

  it('of 1 MB does not come in through a socket', async () => {
    expectProblem(await socket.ask(PATH, withPayment(huge)), 431, 'headers_too_large');
  });

  it.each(BOTH_DOORS)('of 16 kB is still taken, through the %s', async (door) => {
    const paying = door === 'app' ? app : socket;
    const mine = await signAuthorization(terms);
    const document = documentOf(paymentHeader(mine));
    const bare = encoded({ ...document, note: '' }).length;
    const header = encoded({ ...document, note: 'x'.repeat(Math.floor(((16_384 - bare) * 3) / 4) - 3) });
    expect([header.length > 16_300, header.length <= 16_384]).toEqual([true, true]);
    const answer = await paying.ask(PATH, withPayment(header));
    await expectDelivered(chain, { answer, signed: mine }, '0.02');
  });

  it('with members of a prototype is a payment like any other', async () => {
    const mine = await signAuthorization(terms);
    const plain = JSON.stringify(documentOf(paymentHeader(mine)));
    const header = base64(
      plain.replace(/}$/, ',"__proto__":{"polluted":true},"constructor":{"prototype":{}}}'),
    );
    const answer = await app.ask(PATH, withPayment(header));
    await expectDelivered(chain, { answer, signed: mine }, '0.02');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
