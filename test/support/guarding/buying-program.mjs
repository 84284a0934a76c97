/**
 * A buyer as a process of its own, for tests that kill it: a stock payer that buys once from an address and says how that ended.
 * Its arguments are the address and the key of the wallet.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const [, , url, key] = process.argv;
const scheme = new ExactEvmScheme(privateKeyToAccount(key));
const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', scheme));
const answer = await pay(url);
process.stdout.write(`${answer.status} ${await answer.text()}\n`);
process.exit();
