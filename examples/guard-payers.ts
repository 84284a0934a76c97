/**
 * Three payers as they come, each over the guard: the x402 client for fetch, the one for axios, and a client of x402 version 1.
 * The guard is the fetch below them, so none of them is changed and none of them can pay what it does not approve.
 */
import assert from 'node:assert/strict';
import { wrapAxiosWithPayment, x402Client as x402ClientOfAxios } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import axios from 'axios';
import { privateKeyToAccount } from 'viem/accounts';
import { createSigner, wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
// In a program of your own: from 'assay/guard'.
import { createGuard, memoryLedger } from '../src/guard/index.ts';
import { listedPayee } from './listed-payee.ts';
import { lookAtChain } from './look-at-chain.ts';
import { buyerKey, sellerNamed, withSandbox } from './with-sandbox.ts';

await withSandbox(async (sandbox) => {
  const { balanceOf } = lookAtChain(sandbox);
  const key = buyerKey(sandbox, 3);
  const account = privateKeyToAccount(key);
  const before = await balanceOf(account.address);
  const spent = async () => before - (await balanceOf(account.address));

  // The buyer knows from a list who is to be paid. A real one keeps its ledger in a file: sqliteLedger(path).
  const payTo = await listedPayee(sandbox);
  const guard = createGuard({
    ledger: memoryLedger(),
    limits: { perPayment: '0.10', perDay: '0.04' },
    expect: () => ({ payTo }),
  });

  const pay = wrapFetchWithPayment(
    guard.fetch,
    new x402Client().register('eip155:8453', new ExactEvmScheme(account)),
  );
  assert.equal((await pay(sellerNamed(sandbox, 'honest-v2'))).status, 200);
  assert.equal(await spent(), 10_000n);
  console.log('1. @x402/fetch bought for 0.01 USD');

  const client = new x402ClientOfAxios().register('eip155:8453', new ExactEvmScheme(account));
  const paying = wrapAxiosWithPayment(
    axios.create({ adapter: 'fetch', env: { fetch: guard.fetch } }),
    client,
  );
  assert.equal(
    (await paying.get(`${sellerNamed(sandbox, 'currency')}?amount=1&from=USD&to=EUR`)).status,
    200,
  );
  assert.equal(await spent(), 30_000n);
  console.log('2. @x402/axios bought for 0.02 USD');

  const payOfVersion1 = wrapFetchOfVersion1(guard.fetch, await createSigner('base', key));
  assert.equal((await payOfVersion1(sellerNamed(sandbox, 'honest-v1'))).status, 200);
  assert.equal(await spent(), 40_000n);
  console.log('3. x402-fetch, of version 1, bought for 0.01 USD');

  // Nothing of this is signed: another payee, the same goods again, and more than a day may cost.
  await assert.rejects(pay(sellerNamed(sandbox, 'swapped-payee')), refusedWith('pay_to_mismatch'));
  await assert.rejects(pay(sellerNamed(sandbox, 'honest-v2')), refusedWith('bought_already'));
  await assert.rejects(pay(sellerNamed(sandbox, 'honest')), refusedWith('over_day_limit'));
  assert.equal(await spent(), 40_000n);
  console.log('4. three payments were refused: pay_to_mismatch, bought_already, over_day_limit');
});

/** Payers may wrap the errors of the fetch below them; the code is in the message either way. */
function refusedWith(code: string): RegExp {
  return new RegExp(`\\b${code}\\b`);
}
