import assert from 'node:assert/strict';
import { judgeAnswer } from '../src/rules/judge-answer.ts';

/** A buyer read "one cent" in a listing. What does the live 402 say? Outside of this project: `from 'assay/rules'`. */
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const listed = { price: '0.01', payTo, network: 'base' };

function check(amount: string) {
  const challenge = {
    x402Version: 2,
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount,
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo,
        maxTimeoutSeconds: 60,
      },
    ],
  };
  const headers = new Headers({ 'PAYMENT-REQUIRED': btoa(JSON.stringify(challenge)) });
  return judgeAnswer({ status: 402, headers }, listed, new Date('2026-11-15T12:00:00Z'));
}

const raised = check('50000');
assert.equal(raised.verdict, 'skip');
assert.equal(raised.reason, 'price_mismatch');
assert.equal(raised.words, 'The live 402 asks $0.05, more than the expected $0.01.');
console.log(`${raised.verdict}: ${raised.words}`);

const honest = check('10000');
assert.equal(honest.verdict, 'pay');
assert.equal(honest.terms.deadline.toISOString(), '2026-11-15T12:01:00.000Z');
assert.equal(honest.termsSha256, '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b');
console.log(`${honest.verdict}: ${honest.words}`);
