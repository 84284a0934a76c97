import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createGuard, guardFetch, memoryLedger } from 'assay/guard';
import { sqliteLedger } from 'assay/guard/sqlite';
import { privateKeyToAccount } from 'viem/accounts';

const [url, key] = process.argv.slice(2);
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
// askFetch has limits of its own, or the service could charge any price for its answer.
const askFetch = guardFetch({ ledger: memoryLedger(), limits: { perPayment: '0.25', perDay: '1' } });
const guard = createGuard({
  ledger: sqliteLedger('purchases.db'),
  limits: { perPayment: '0.10', perDay: '5' },
  // Assay checks each seller from another place: one check a day is free, each further one costs a cent.
  ask: process.env.ASSAY_SERVER ?? 'http://127.0.0.1:4402',
  payAsk: wrapFetchWithPayment(askFetch, client),
});
const pay = wrapFetchWithPayment(guard.fetch, client); // or any payer that takes a fetch
await pay(url).then(
  async (answer) => console.log(answer.status, await answer.text()),
  (refusal) => console.log(refusal.message),
);
