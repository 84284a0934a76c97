import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ChargeStep } from '../../src/flows/pay/charge.ts';
import { paymentHeader } from '../../tools/signed-payment.ts';
import { SALES } from '../support/paying/charging-crash.ts';
import { expectSameAnswer } from '../support/paying/charging-reconcile.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { signFor, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { connectTo } from '../support/running/raw-http.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);

describe('C-06: the connection dies while the answer is written', () => {
  const after: { step: (step: ChargeStep) => Promise<void> } = { step: async () => {} };
  const paying = usePaying({ chain, door: 'socket', world: { onChargeStep: (step) => after.step(step) } });

  /** Sends a payment as bytes; whoever reads the answer breaks it off. */
  const send = async (path: string, header: string): Promise<Socket> => {
    const socket = await connectTo(paying.address ?? '');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: assay.example.org\r\npayment-signature: ${header}\r\n\r\n`);
    return socket;
  };

  it.each<[string, (path: string, header: string) => Promise<string>]>([
    [
      'before its first byte',
      (path, header) =>
        new Promise((resolve, reject) => {
          const sent = send(path, header);
          sent.catch(reject);
          after.step = async (step) => {
            if (step !== 'frozen') return;
            const socket = await sent;
            socket.resetAndDestroy();
            await once(socket, 'close');
            resolve('');
          };
        }),
    ],
    [
      'after its first bytes',
      async (path, header) => {
        const socket = await send(path, header);
        const [bytes] = await once(socket, 'data');
        socket.resetAndDestroy();
        return String(bytes);
      },
    ],
  ])('%s: the retry brings the whole of it, and nothing is taken again', async (_, breakOff) => {
    for (const [, { path, usd }] of SALES) {
      after.step = async () => {};
      paying.facilitator.reset();
      const signed = await signFor(await paying.ask(path), { buyer });
      const header = paymentHeader(signed);
      const { result, taken } = await takingsOf(chain, async () => {
        const heard = await breakOff(path, header);
        // From the same network: what was given to the operating system may count as delivered (G97).
        const sent = { ...withPayment(header), from: '127.0.0.1' };
        const answer = await paying.ask(path, sent);
        expectSameAnswer(await paying.ask(path, sent), answer);
        return { heard, answer };
      });
      await expectDelivered(chain, { answer: result.answer, signed }, usd);
      expect([taken.length, paying.facilitator.calls]).toEqual([1, { verify: 1, settle: 1 }]);
      const { heard, answer } = result;
      // What was heard of the first answer is how the second one begins.
      const [, body = ''] = heard.split('\r\n\r\n');
      expect(answer.text.startsWith(body)).toBe(true);
      if (heard !== '') expect(heard).toContain(`payment-response: ${answer.header('payment-response')}`);
    }
    expect(paying.faults).toEqual([]);
  });
});
