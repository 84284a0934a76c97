import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { paymentHeader, secondsFromNow, signAuthorization } from '../../tools/signed-payment.ts';
import type { Signing } from './signed-payments.ts';

/** They wait in stock until their turn comes. */
const LIFE_SECONDS = 6 * 3_600;

// Of this thread alone: there is a stock, and nobody waits for the next signature.
setPriority(19);

// Only signed-payments.ts talks here.
parentPort?.on('message', async ({ key, to, value }: Signing) => {
  const signed = await signAuthorization({ key, to, value, validBefore: secondsFromNow(LIFE_SECONDS) });
  parentPort?.postMessage({ value, header: paymentHeader(signed) });
});
