import { describe, expect, it } from 'vitest';
import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { paymentHeader, secondsFromNow } from '../../../tools/signed-payment.ts';
import { asking, checkOf, sellerWith } from '../../support/asking.ts';
import { expectDelivered, expectRefused } from '../../support/paying/paying-answers.ts';
import { buy, signFor, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { type PayingService, usePaying } from '../../support/paying/paying-service.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import type { Received } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);

describe('PAY-09: a check costs a tenth of what the target asks, 0.01 to 0.25 USD', () => {
  const ROWS: [path: string, units: bigint, usd: string, why: string, target: Buffer][] = [
    ['nothing', 10_000n, '0.01', 'nothing is asked', asking({ amount: '0' })],
    ['least', 10_000n, '0.01', 'the least there is', asking({ amount: '1' })],
    ['edge', 10_000n, '0.01', '0.1 USD, a tenth of which is the least', asking({ amount: '100000' })],
    ['below', 10_000n, '0.01', 'half a unit too little to round up', asking({ amount: '100004' })],
    ['half', 10_001n, '0.010001', 'half a unit is rounded up', asking({ amount: '100005' })],
    ['odd', 123_457n, '0.123457', 'no unit is lost', asking({ amount: '1234567' })],
    ['dollar', 100_000n, '0.1', '1 USD', asking({ amount: '1000000' })],
    ['nearly', 249_999n, '0.249999', 'just below the most', asking({ amount: '2499994' })],
    ['top', 250_000n, '0.25', '2.5 USD, a tenth of which is the most', asking({ amount: '2500000' })],
    ['over', 250_000n, '0.25', '2.51 USD', asking({ amount: '2510000' })],
    ['absurd', 250_000n, '0.25', 'a million million USD', asking({ amount: '1000000000000000000' })],
    ['unparsable', 10_000n, '0.01', 'what cannot be read', httpAnswer(402, [['PAYMENT-REQUIRED', '%%%']])],
    ['no-paywall', 10_000n, '0.01', 'no price at all', httpAnswer(200, [], '{}')],
    [
      'other-token',
      10_000n,
      '0.01',
      'a price in another token',
      asking({ asset: buyer.address, amount: '99000000' }),
    ],
  ];
  const seller = sellerWith(Object.fromEntries(ROWS.map(([path, , , , answer]) => [path, answer])));
  const paying = usePaying({ chain, seller });

  it.each(ROWS)('%s: %s units, %s USD: %s', async (path, units, usd) => {
    const { result, taken } = await takingsOf(chain, () =>
      buy(paying.ask, checkOf(`http://seller.example/${path}`), { buyer }),
    );
    await expectDelivered(chain, result, usd);
    expect(taken.map(({ value }) => value)).toEqual([units]);
  });

  it.each(['down', 'reset'])('10000 units are named for a target that cannot be heard: %s', async (path) => {
    const { json } = await paying.ask(checkOf(`http://seller.example/${path}`));
    expect(json.accepts[0].amount).toBe('10000');
  });
});

describe('PAY-08: the price moves between the question and the payment', () => {
  const target = { amount: '1000000' };
  const seller: Script = (socket) => socket.end(asking(target));
  const paying = usePaying({ chain, seller });
  /** The target changes its price, and nobody remembers the old one. */
  const reprice = async (amount: string) => {
    target.amount = amount;
    await paying.store.probes.prune(new Date(Date.now() + 3_600_000), 1_000);
  };
  const pay = async (path: string, required: Received, value?: bigint) => {
    const signing = { validBefore: secondsFromNow(3_600), ...(value === undefined ? {} : { value }) };
    const signed = await signFor(required, { buyer, signing });
    const sent = withPayment(paymentHeader(signed));
    const { result: answer, taken } = await takingsOf(chain, () => paying.ask(path, sent));
    return { answer, signed, values: taken.map(({ value: units }) => units) };
  };

  it.each<[string, string, string]>([
    ['it rose', 'rose', '2000000'],
    ['it fell', 'fell', '200000'],
  ])('the price that was named is taken when %s', async (_, name, now) => {
    const path = checkOf(`http://seller.example/${name}`);
    await reprice('1000000');
    const required = await paying.ask(path);
    await reprice(now);
    const bought = await pay(path, required);
    await expectDelivered(chain, bought, '0.1');
    expect(bought.values).toEqual([100_000n]);
    expect(bought.answer.json.quoted_price_usd).toBe(Number(now) / 1_000_000);
  });

  it('the new price is good as well', async () => {
    const path = checkOf('http://seller.example/both');
    await reprice('1000000');
    const old = await paying.ask(path);
    await reprice('2000000');
    const bought = await pay(path, await paying.ask(path));
    await expectDelivered(chain, bought, '0.2');
    await expectDelivered(chain, await pay(path, old), '0.1');
  });

  it('no other amount is, and the answer names the price of now', async () => {
    const path = checkOf('http://seller.example/guess');
    await reprice('1000000');
    const required = await paying.ask(path);
    await reprice('2000000');
    for (const value of [99_999n, 100_001n, 10_000n, 150_000n, 199_999n, 200_001n, 250_000n]) {
      const { answer, values } = await pay(path, required, value);
      expectRefused(answer, 'wrong_amount');
      expect([values, answer.json.accepts[0].amount]).toEqual([[], '200000']);
    }
    expect(paying.facilitator.calls.settle).toBe(0);
  });

  it('a price that was named for another URL is not taken', async () => {
    await reprice('1000000');
    const cheap = await paying.ask(checkOf('http://seller.example/cheap'));
    await reprice('2000000');
    const path = checkOf('http://seller.example/never-asked');
    const { answer, values } = await pay(path, cheap);
    expectRefused(answer, 'wrong_amount');
    expect(values).toEqual([]);
  });

  const later = async (seconds: number, name: string) => {
    const path = checkOf(`http://seller.example/${name}`);
    await reprice('1000000');
    paying.clock.stoppedAt = new Date();
    const required = await paying.ask(path);
    paying.clock.aheadMs = seconds * 1_000;
    await reprice('2000000');
    return pay(path, required);
  };

  it('after 299 seconds it is still taken', async () => {
    await expectDelivered(chain, await later(299, 'in-time'), '0.1');
  });

  it('after 300 seconds it is not', async () => {
    const { answer, values } = await later(300, 'late');
    expectRefused(answer, 'wrong_amount');
    expect([values, answer.json.accepts[0].amount]).toEqual([[], '200000']);
  });

  it('asking again keeps it for longer', async () => {
    const path = checkOf('http://seller.example/again');
    await reprice('1000000');
    paying.clock.stoppedAt = new Date();
    await paying.ask(path);
    paying.clock.aheadMs = 200_000;
    const required = await paying.ask(path);
    paying.clock.aheadMs = 450_000;
    await reprice('2000000');
    await expectDelivered(chain, await pay(path, required), '0.1');
  });
});

describe('the least price, for want of a better one', () => {
  const DEAR = { ...ENTRY, amount: '5000000' };
  const accepts = [DEAR, { ...DEAR, network: 'eip155:84532' }];
  const target = { isUp: true };
  const seller: Script = (socket, request) => {
    const isFound = target.isUp && !request.startsWith('GET /spelled//');
    socket.end(isFound ? httpAnswer(402, [header({ x402Version: 2, accepts })]) : httpAnswer(404, []));
  };
  const paying = usePaying({ chain, seller });
  const priceOf = async (url: string, parameters = {}) => {
    const { json } = await paying.ask(checkOf(url, parameters));
    return json.accepts[0].amount;
  };
  const payLeast = async (url: string) => {
    const path = checkOf(url);
    const signed = await signFor(await paying.ask(path), { buyer, signing: { value: 10_000n } });
    return takingsOf(chain, () => paying.ask(path, withPayment(paymentHeader(signed))));
  };

  it.each<[string, string, string, object]>([
    ['a spelling that fails', 'spelled', 'http://seller.example/spelled//', {}],
    [
      'a claim that leaves a testnet',
      'claimed',
      'http://seller.example/claimed',
      { network: 'eip155:84532' },
    ],
  ])('does not buy a dear check after %s', async (_, name, url, parameters) => {
    expect(await priceOf(url, parameters)).toBe('10000');
    const { result, taken } = await payLeast(`http://seller.example/${name}`);
    expectRefused(result, 'wrong_amount');
    expect([taken, result.json.accepts[0].amount]).toEqual([[], '250000']);
  });

  it('stays payable when the endpoint that had no terms has some', async () => {
    target.isUp = false;
    const url = 'http://seller.example/back';
    const required = await paying.ask(checkOf(url));
    expect(required.json.accepts[0].amount).toBe('10000');
    target.isUp = true;
    await paying.store.probes.prune(new Date(Date.now() + 3_600_000), 1_000);
    const signed = await signFor(required, { buyer });
    const { result } = await takingsOf(chain, () =>
      paying.ask(checkOf(url), withPayment(paymentHeader(signed))),
    );
    await expectDelivered(chain, { answer: result, signed }, '0.01');
    expect(result.json.quoted_price_usd).toBe(5);
  });
});

describe('without asking for the price first', () => {
  const paying: PayingService = usePaying({ chain });

  it('the right amount is taken', async () => {
    const path = checkOf('http://seller.example/dear');
    const other = await paying.ask(checkOf('http://seller.example/dear?other'));
    const signed = await signFor(other, { buyer });
    const answer = await paying.ask(path, withPayment(paymentHeader(signed)));
    await expectDelivered(chain, { answer, signed }, '0.1');
  });
});
