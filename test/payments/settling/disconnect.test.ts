import { describe, expect, it, vi } from 'vitest';
import { paymentHeader } from '../../../tools/signed-payment.ts';
import { checkOf, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { expectDelivered } from '../../support/paying/paying-answers.ts';
import { gate, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { connectTo } from '../../support/running/raw-http.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const PATHS: [what: string, path: string, usd: string][] = [
  ['a lookup', `${LOOKUP_PAID}?task=weather`, '0.02'],
  ['a check', checkOf('http://seller.example/dear'), '0.1'],
  ['the pack', PACK, '9'],
];

describe('PAY-17: the buyer hangs up before the answer', () => {
  const paying = usePaying({ chain, door: 'socket' });

  const sendAndHangUp = async (path: string, header: string, when: 'verify' | 'settle') => {
    const held = gate();
    paying.facilitator.afterVerify = async () => (when === 'verify' ? held.opened : undefined);
    paying.facilitator.beforeSettle = async () => (when === 'settle' ? held.opened : undefined);
    const socket = await connectTo(paying.address ?? '');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: assay.example.org\r\npayment-signature: ${header}\r\n\r\n`);
    await vi.waitFor(() => expect(paying.facilitator.calls[when]).toBe(1), { timeout: 120_000 });
    socket.destroy();
    return held;
  };

  describe.each(PATHS)('%s', (_, path, usd) => {
    it.each(['verify', 'settle'] as const)(
      'during %s: it is settled once, and the same payment brings the answer',
      async (when) => {
        const signed = await signFor(await paying.ask(path), { buyer });
        const header = paymentHeader(signed);
        const { result, taken } = await takingsOf(chain, async () => {
          const held = await sendAndHangUp(path, header, when);
          const again = paying.ask(path, withPayment(header));
          held.open();
          const answer = await again;
          expect((await paying.ask(path, withPayment(header))).text).toBe(answer.text);
          return answer;
        });
        await expectDelivered(chain, { answer: result, signed }, usd);
        expect([taken.length, paying.facilitator.calls.settle]).toEqual([1, 1]);
      },
    );
  });
});
