import { expect, it } from 'vitest';
import { guardFor, inProcessSeller, payer } from '../support/guarding/sellers/in-process-seller.ts';

/** A seller that repeats the payment in its answer: whoever gets the evidence could settle it. */
it('evidence of an open purchase holds no signature, even if the seller repeats it', async () => {
  const seller = inProcessSeller(undefined, ({ headers }) => {
    const payment = headers.get('payment-signature') ?? '';
    return new Response('no', { status: 500, headers: { 'payment-response': payment } });
  });
  const guard = guardFor(seller);
  await payer(guard.fetch)('https://seller.example/paid?key=sk_live_51H8abcdefghijklmnop');
  const [purchase] = await guard.purchases({ state: 'open' });
  const signature = seller.seen[1]?.payment?.payload.signature.slice(2) ?? 'none';
  const evidence = JSON.stringify(await guard.evidence(purchase?.id ?? ''));
  expect(signature).toHaveLength(130);
  expect(evidence).not.toContain(signature);
  expect(evidence).not.toContain(seller.seen[1]?.headers.get('payment-signature'));
  expect(evidence).not.toContain('sk_live_51H8abcdefghijklmnop');
  expect(JSON.parse(evidence)).toMatchObject({ state: 'failed' });
  const shown = JSON.stringify(purchase, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(shown).toContain('"status":500');
  expect(shown).not.toContain(signature);
  expect(shown).not.toContain(seller.seen[1]?.headers.get('payment-signature'));
});
