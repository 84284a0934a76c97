import assert from 'node:assert/strict';
import { parseUsd } from '../src/core/money/micro-usd.ts';
import { termsSha256 } from '../src/core/receipt/terms-hash.ts';
import { expectedTerms } from '../src/core/verdict/expected-terms.ts';
import { judge } from '../src/core/verdict/judge.ts';
import { observe } from '../src/core/verdict/observation.ts';
import { reasonWords } from '../src/core/verdict/reason-words.ts';
import { parseNetwork } from '../src/core/x402/networks.ts';

/** A buyer read "one cent" in a listing. What does the live 402 say? */
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const expected = expectedTerms({ price: parseUsd('0.01'), payTo, network: parseNetwork('base') }, null);

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
  const headers: [string, string][] = [
    ['PAYMENT-REQUIRED', Buffer.from(JSON.stringify(challenge)).toString('base64')],
  ];
  const body = new Uint8Array();
  const observation = observe({ kind: 'answered', status: 402, headers, body, bodyComplete: true });
  return judge(observation, expected, new Date('2026-11-15T12:00:00Z')).verdict;
}

const raised = check('50000');
assert.equal(raised.verdict, 'skip');
assert.equal(raised.reason, 'price_mismatch');
assert.equal(reasonWords(raised), 'The live 402 asks $0.05, more than the expected $0.01.');
console.log(`${raised.verdict}: ${reasonWords(raised)}`);

const honest = check('10000');
assert.equal(honest.verdict, 'pay');
assert.equal(honest.terms.deadline.toISOString(), '2026-11-15T12:01:00.000Z');
assert.equal(termsSha256(honest.terms), '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b');
console.log(`${honest.verdict}: ${reasonWords(honest)}`);
