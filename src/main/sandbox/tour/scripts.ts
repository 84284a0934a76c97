const BUYER = `import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';`;

/** Buys a check with the standard x402 client. */
export function payingScript(key: string, check: string): string {
  return `${BUYER}
const buyer = privateKeyToAccount('${key}');
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));
const answer = await wrapFetchWithPayment(fetch, client)('${check}');
const { verdict, reason, receipt_id, access } = await answer.json();
console.log(answer.status, JSON.stringify({ verdict, reason, receipt_id, access }, null, 2));`;
}

export interface GuardedScript {
  readonly key: string;
  readonly ledger: string;
  /** Who is to be paid, as the lists say. */
  readonly payTo: string;
  readonly urls: readonly string[];
}

/** The same client over the guard: what is not as listed is never signed. */
export function guardedScript({ key, ledger, payTo, urls }: GuardedScript): string {
  return `${BUYER}
import { createGuard } from 'assay/guard';
import { sqliteLedger } from 'assay/guard/sqlite';
const guard = createGuard({
  ledger: sqliteLedger('${ledger}'),
  limits: { perPayment: '0.10', perDay: '1' },
  expect: () => ({ payTo: '${payTo}' }),
});
const buyer = privateKeyToAccount('${key}');
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));
const pay = wrapFetchWithPayment(guard.fetch, client);
for (const url of ${JSON.stringify(urls)}) {
  await pay(url).then(({ status }) => console.log('bought', status, url), ({ message }) => console.log(message));
}
await guard.close();`;
}
