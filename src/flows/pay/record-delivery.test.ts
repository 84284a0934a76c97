import { expect, it } from 'vitest';
import { unsigned } from '../../../test/support/paying/charging-payments.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { presenterKey } from '../../core/access/caller-key.ts';
import { paymentKey } from '../../core/x402/paid-request.ts';
import { recordDelivery } from './record-delivery.ts';

const PAYMENT = unsigned();

/** Records a delivery to 192.0.2.1 with this ledger. */
async function faultsOf(deliver: (...told: unknown[]) => Promise<void>): Promise<unknown[]> {
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => faults.push(fault);
  const ports = { ledger: { deliver }, clock: { now: () => NOON }, secret: 'secret', onFault };
  await recordDelivery(PAYMENT, '192.0.2.1', ports);
  return faults;
}

it('writes down which payment was delivered to whom', async () => {
  const written: unknown[] = [];
  const faults = await faultsOf(async (...told) => {
    written.push(told);
  });
  expect(written).toEqual([[paymentKey(PAYMENT), presenterKey('192.0.2.1', 'secret'), NOON]]);
  expect(faults).toEqual([]);
});

it('tells of a record that fails, and goes on', async () => {
  const fault = new Error('our own fault');
  expect(await faultsOf(() => Promise.reject(fault))).toEqual([fault]);
});
