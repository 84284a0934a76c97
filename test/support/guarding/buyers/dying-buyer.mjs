/**
 * A buyer as a process of its own, for tests of crashes: a stock payer over a guard whose ledger kills the process at a write.
 * It takes JSON as its only argument: the key of the wallet, the purchases, and where to die. It says a line of JSON for each
 * purchase: how each try ended. It imports the guard as other programs do, by the name of the built package.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createGuard, GuardRefused } from 'assay/guard';
import { sqliteLedger } from 'assay/guard/sqlite';
import { privateKeyToAccount } from 'viem/accounts';

const { key, purchases, death } = JSON.parse(process.argv[2]);
const client = new x402Client().register('eip155:*', new ExactEvmScheme(privateKeyToAccount(key)));

/** SIGKILL is not handled by anything: no write, no flush and no `finally` runs after it. */
function dyingLedger(ledger, { when, write, nth }) {
  let seen = 0;
  const around = async (name, work) => {
    const isHere = name === write && ++seen === nth;
    if (isHere && when === 'before') process.kill(process.pid, 'SIGKILL');
    const result = await work();
    if (isHere) process.kill(process.pid, 'SIGKILL');
    return result;
  };
  return {
    ...ledger,
    reserve: (...given) => around('reserved', () => ledger.reserve(...given)),
    move: (id, move) => around(move.to, () => ledger.move(id, move)),
  };
}

async function tryOnce(pay, url) {
  try {
    const answer = await pay(url);
    const goods = await answer.text();
    return `${answer.status} with ${goods.length} characters`;
  } catch (error) {
    const refusal = error instanceof GuardRefused ? error : error?.cause;
    return refusal instanceof GuardRefused ? refusal.code : String(error);
  }
}

for (const { url, file, tries } of purchases) {
  const ledger = sqliteLedger(file);
  const limits = { perPayment: '0.10', perDay: '5' };
  const guard = createGuard({
    ledger: death === null ? ledger : dyingLedger(ledger, death),
    limits,
    ask: null,
  });
  const pay = wrapFetchWithPayment(guard.fetch, client);
  const ends = [];
  while (ends.length < tries) ends.push(await tryOnce(pay, url));
  await guard.close();
  process.stdout.write(`${JSON.stringify(ends)}\n`);
}
process.exit();
