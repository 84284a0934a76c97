/**
 * A buyer as a process of its own, for tests that kill it: a stock payer that buys once from an address and says how that ended.
 * Its arguments are the address, the key of the wallet and, for a guarded buyer, the file of its ledger. It imports the guard
 * as other programs do, by the name of the built package.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const [, , url, key, file] = process.argv;

async function guardedFetch() {
  const { createGuard } = await import('assay/guard');
  const { sqliteLedger } = await import('assay/guard/sqlite');
  const limits = { perPayment: '0.10', perDay: '5' };
  return createGuard({ ledger: sqliteLedger(file), limits, ask: null }).fetch;
}

const below = file === undefined ? fetch : await guardedFetch();
const scheme = new ExactEvmScheme(privateKeyToAccount(key));
const answer = await wrapFetchWithPayment(below, new x402Client().register('eip155:*', scheme))(url);
process.stdout.write(`${answer.status} ${await answer.text()}\n`, () => process.exit());
