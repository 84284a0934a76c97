import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { paymentHeader, type SignedAuthorization } from '../../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { buy, documentOf, encoded, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { sendRawAndHangUp } from '../../support/running/raw-http.ts';
import { BOTH_DOORS, freshAddress, type Sent } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP_PAID}?task=weather`;
const PATHS: [what: string, path: string][] = [
  ['a lookup', TASK],
  ['a check', checkOf('http://seller.example/dear')],
  ['the pack', PACK],
];

function named(signed: SignedAuthorization, id: string): Sent {
  const document = documentOf(paymentHeader(signed));
  return withPayment(encoded({ ...document, extensions: { 'payment-identifier': { info: { id } } } }));
}

describe.each(BOTH_DOORS)('a bought answer that was delivered (G97), through the %s', (door) => {
  const paying = usePaying({ chain, door });
  /** Over a socket the note of a delivery follows the answer. */
  const delivered = (count: number) =>
    vi.waitFor(async () =>
      expect(await paying.place.ask('select key from payments where delivered_at is not null')).toHaveLength(
        count,
      ),
    );
  const soFar = async () =>
    (await paying.place.ask('select key from payments where delivered_at is not null')).length;

  it.each(PATHS)('is for the network that paid, not for strangers: %s', async (_, path) => {
    const before = await soFar();
    const { result, taken } = await takingsOf(chain, async () => {
      const bought = await buy(paying.ask, path, { buyer });
      expect(bought.answer.status).toBe(200);
      await delivered(before + 1);
      expectProblem(
        await paying.ask(path, { ...bought.paid, from: freshAddress() }),
        409,
        'payment_delivered',
      );
      return { ...bought, again: await paying.ask(path, bought.paid) };
    });
    expect([result.again.status, result.again.text]).toEqual([200, result.answer.text]);
    expect(taken).toHaveLength(1);
  });

  it('is for the same /64 of an IPv6 network', async () => {
    const before = await soFar();
    const bought = await buy(paying.ask, TASK, { buyer, sent: { from: '2001:db8:1:2::3' } });
    await delivered(before + 1);
    expect((await paying.ask(TASK, { ...bought.paid, from: '2001:db8:1:2:9::9' })).status).toBe(200);
    const elsewhere = await paying.ask(TASK, { ...bought.paid, from: '2001:db8:1:3::3' });
    expectProblem(elsewhere, 409, 'payment_delivered');
  });

  it('is for whoever has its identifier, from anywhere', async () => {
    const before = await soFar();
    const signed = await signFor(await paying.ask(PACK), { buyer });
    const sent = named(signed, 'order_of_a_pack_0001');
    const first = await paying.ask(PACK, { ...sent, from: freshAddress() });
    await delivered(before + 1);
    const again = await paying.ask(PACK, { ...sent, from: freshAddress() });
    expect([again.status, again.text]).toEqual([200, first.text]);
    // What anybody can read on the chain is not enough.
    const copied = await paying.ask(PACK, withPayment(paymentHeader(signed)));
    expectProblem(copied, 409, 'payment_reused');
  });

  it('comes back ten times an hour; strangers do not use that up', async () => {
    const before = await soFar();
    paying.clock.stoppedAt = new Date();
    const bought = await buy(paying.ask, TASK, { buyer });
    await delivered(before + 1);
    for (let n = 0; n < 12; n += 1) await paying.ask(TASK, { ...bought.paid, from: freshAddress() });
    const statuses: number[] = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await paying.ask(TASK, bought.paid)).status);
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    const refused = await paying.ask(TASK, bought.paid);
    expectProblem(refused, 429, 'replay_limit');
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0);
    paying.clock.aheadMs = 3_600_000;
    expect((await paying.ask(TASK, bought.paid)).status).toBe(200);
  });
});

describe('before the first delivery (G97)', () => {
  const paying = usePaying({ chain, door: 'socket' });

  it('anyone who presents the payment gets the answer, and a connection that is cut delivers nothing', async () => {
    const signed = await signFor(await paying.ask(PACK), { buyer });
    const settled = vi.fn();
    paying.facilitator.beforeSettle = async () => settled();
    const { port } = new URL(paying.address ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    // It is gone before the answer comes.
    paying.facilitator.beforeSettle = async () => {
      socket.destroy();
      settled();
    };
    const header = `payment-signature: ${paymentHeader(signed)}`;
    socket.write(`GET ${PACK} HTTP/1.1\r\nhost: assay.example.org\r\n${header}\r\n\r\n`);
    await vi.waitFor(() => expect(settled).toHaveBeenCalled());
    await vi.waitFor(async () =>
      expect(await paying.place.ask('select state, delivered_at from payments')).toEqual([
        { state: 'settled', delivered_at: null },
      ]),
    );
    const paid = withPayment(paymentHeader(signed));
    const elsewhere = { ...paid, from: freshAddress() };
    expect((await paying.ask(PACK, elsewhere)).status).toBe(200);
    await vi.waitFor(async () =>
      expect(await paying.place.ask('select key from payments where delivered_to is not null')).toHaveLength(
        1,
      ),
    );
    expect((await paying.ask(PACK, elsewhere)).status).toBe(200);
    // The socket came from loopback, without a proxy: whoever paid may still ask.
    expectProblem(await paying.ask(PACK, { ...paid, from: freshAddress() }), 409, 'payment_delivered');
  });
});

describe('a caller that closes its own side behind its payment (G97)', () => {
  const paying = usePaying({ chain, door: 'socket' });

  it.each(PATHS)('gets the answer, and it may be asked for from elsewhere: %s', async (_, path) => {
    const header = paymentHeader(await signFor(await paying.ask(path), { buyer }));
    const { result: answers, taken } = await takingsOf(chain, () =>
      sendRawAndHangUp(
        paying.address ?? '',
        `GET ${path} HTTP/1.1\r\nhost: assay.example.org\r\npayment-signature: ${header}\r\n\r\n`,
      ),
    );
    expect([answers.map(({ status }) => status), taken.length]).toEqual([[200], 1]);
    // Whoever gave up waiting closes its side as well, and has nothing.
    expect((await paying.ask(path, withPayment(header))).status).toBe(200);
  });
});

describe('what is kept of a pack that was sold', () => {
  const paying = usePaying({ chain });

  it('is its settlement: the files are the same for all buyers', async () => {
    const bought = await buy(paying.ask, PACK, { buyer });
    expect(bought.answer.text.length).toBeGreaterThan(300_000);
    const [row] = await paying.place.ask('select answer from payments');
    expect(String(row?.['answer']).length).toBeLessThan(2_000);
    expect((await paying.ask(PACK, bought.paid)).text).toBe(bought.answer.text);
  });

  it('is the whole answer in rows of older releases, which is given out as it is', async () => {
    const { paid } = await buy(paying.ask, PACK, { buyer });
    const old = JSON.stringify({
      status: 200,
      headers: [['payment-response', 'e30=']],
      body: '{"old":"pack"}',
    });
    await paying.place.ask(`update payments set answer = '${old}'`);
    expect((await paying.ask(PACK, paid)).json).toEqual({ old: 'pack' });
  });
});

describe('identifiers of different payers (G67)', () => {
  const paying = usePaying({ chain });

  it('are different identifiers, however they are spelled', async () => {
    const id = 'order_0000000000001';
    for (const index of [0, 1]) {
      const signed = await signFor(await paying.ask(TASK), { buyer: buyerOf(chain, index) });
      expect((await paying.ask(TASK, named(signed, id))).status).toBe(200);
    }
  });
});
