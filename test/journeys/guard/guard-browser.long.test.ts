import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { useBrowser } from '../../support/running/browser.ts';

const newVisitor = useBrowser();

/** The guard in a page: its fetch, its hashes and its streams are those of the browser. */
it('decides about a purchase in a browser', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/guard/index.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'assayGuard',
    platform: 'neutral',
    write: false,
  });
  const { page, expectQuiet } = await newVisitor();
  await page.goto('about:blank');
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const thief = { ...ENTRY, amount: '900000', payTo: THIEF };
  const [, challenge] = header({
    x402Version: 2,
    accepts: [thief, { ...ENTRY, maxTimeoutSeconds: 31_536_000 }],
  });
  const seen = await page.evaluate(`(${BUY})(${JSON.stringify(challenge)})`);
  expect(seen).toEqual({
    shown: [{ ...ENTRY, maxTimeoutSeconds: 900 }],
    sentBack: { ...ENTRY, maxTimeoutSeconds: 31_536_000 },
    answer: '{"answer":42}',
    sha256: 'ecf59a2696ca44a417e20e2a7eabb1b26e82c779f8546bea354a2cc80e8e1eed',
    state: 'delivered',
    payTo: PAYEE,
    again: 'bought_already',
  });
  expectQuiet();
});

/** Runs in the page. The signature is made up: the guard does not verify it, the seller would. */
const BUY = `async (challenge) => {
  const { createGuard, memoryLedger } = assayGuard;
  let sentBack = null;
  const seller = async (input, init) => {
    const payment = new Request(input, init).headers.get('payment-signature');
    if (payment === null) return new Response('{}', { status: 402, headers: { 'payment-required': challenge } });
    sentBack = JSON.parse(atob(payment)).accepted;
    return new Response('{"answer":42}', { headers: { 'content-type': 'application/json' } });
  };
  const guard = createGuard({ ledger: memoryLedger(), limits: { perPayment: '0.1', perDay: '1' }, fetch: seller });
  const asked = await guard.fetch('https://seller.example/paid');
  const shown = JSON.parse(atob(asked.headers.get('payment-required'))).accepts;
  const now = Math.floor(Date.now() / 1000);
  const payment = {
    x402Version: 2,
    accepted: shown[0],
    payload: {
      signature: '0x' + '11'.repeat(65),
      authorization: {
        from: '0x' + '22'.repeat(20),
        to: shown[0].payTo,
        value: shown[0].amount,
        validAfter: String(now - 60),
        validBefore: String(now + shown[0].maxTimeoutSeconds),
        nonce: '0x' + '33'.repeat(32),
      },
    },
  };
  const headers = { 'PAYMENT-SIGNATURE': btoa(JSON.stringify(payment)) };
  const answer = await (await guard.fetch('https://seller.example/paid', { headers })).text();
  const [purchase] = await guard.purchases();
  const again = await guard.fetch('https://seller.example/paid').catch((refused) => refused.code);
  const { state, terms: { payTo }, answer: { sha256 } } = purchase;
  return { shown, sentBack, answer, sha256, state, payTo, again };
}`;
