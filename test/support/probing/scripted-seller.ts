import { ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { httpAnswer, type Script } from './fake-seller.ts';

/** A seller whose path says what it does. */
export const scriptedSeller: Script = (socket, request) => {
  const path = /^\S+ (\S+)/.exec(request)?.[1] ?? '/';
  let [, name = ''] = path.split(/[/?]/);
  if (name === 'slow') return;
  if (name === 'reset') {
    socket.destroy();
    return;
  }
  // It knows one spelling only.
  if (name === 'strict' && !/^\/strict(\?|$)/.test(path)) name = 'nowhere';
  socket.end(ANSWERS.get(name) ?? httpAnswer(404, []));
};

const terms = (changes: object) => [header({ x402Version: 2, accepts: [{ ...ENTRY, ...changes }] })];

const ANSWERS: ReadonlyMap<string, Buffer> = new Map([
  ['honest', httpAnswer(402, terms({}))],
  ['strict', httpAnswer(402, terms({}))],
  ['dear', httpAnswer(402, terms({ amount: '1000000' }))],
  ['thief', httpAnswer(402, terms({ payTo: THIEF }))],
  ['testnet', httpAnswer(402, terms({ network: 'eip155:84532' }))],
  ['other-token', httpAnswer(402, terms({ asset: PAYEE }))],
  ['no-paywall', httpAnswer(200, [], '{}')],
  ['broken', httpAnswer(402, [['PAYMENT-REQUIRED', '%%%']])],
  ['trial', httpAnswer(402, [...terms({}), ['x-free-trial', 'true'], ['x-free-trial-remaining', '3']])],
  ['careful', httpAnswer(400, [])],
  ['down', httpAnswer(503, [])],
]);
