/**
 * A buyer as a process of its own, for races with another one on the same ledger. Its argument is JSON: the address of the seller,
 * the file of the ledger, the wallet's key and the limit of a day. For each line it gets, a round with the names of the goods, it
 * buys all of them at once on the ledger of that round, and says a line: how each ended.
 */
import { createInterface } from 'node:readline';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createGuard, GuardRefused } from 'assay/guard';
import { sqliteLedger } from 'assay/guard/sqlite';
import { privateKeyToAccount } from 'viem/accounts';

const { seller, file, key, perDay } = JSON.parse(process.argv[2]);
const client = new x402Client().register('eip155:*', new ExactEvmScheme(privateKeyToAccount(key)));
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

async function buy(pay, url) {
  try {
    const answer = await pay(url);
    await answer.text();
    return answer.status;
  } catch (error) {
    const refusal = error instanceof GuardRefused ? error : error?.cause;
    return refusal instanceof GuardRefused ? refusal.code : String(error);
  }
}

say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { round, goods } = JSON.parse(line);
  const ledger = sqliteLedger(`${file}.${round}`);
  const guard = createGuard({ ledger, limits: { perPayment: '0.01', perDay }, ask: null });
  const pay = wrapFetchWithPayment(guard.fetch, client);
  say(await Promise.all(goods.map((name) => buy(pay, `${seller}/${round}/${name}`))));
  await guard.close();
}
process.exit();
