import { describe, expect, it } from 'vitest';
import type { GuardedInit } from '../../src/guard/call/read-call.ts';
import { guardFor } from '../support/guarding/sellers/in-process-seller.ts';

const PAID = 'https://seller.example/paid';

describe('a 402 that is refused without a look at it does not keep its connection:', () => {
  it.each<[string, string, GuardedInit]>([
    ['an address that cannot be read', '/paid', {}],
    ['a price that cannot be read', PAID, { assay: { maxPrice: 'a cent' } }],
    ['a stream that cannot be sent again', PAID, { method: 'POST', body: streamed(), duplex: 'half' }],
    ['a caller that has given up', PAID, { signal: AbortSignal.abort() }],
  ])('%s', async (_, address, init) => {
    let isCancelled = false;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{}')),
      cancel() {
        isCancelled = true;
      },
    });
    const guard = guardFor({ fetch: async () => new Response(body, { status: 402 }) });
    await expect(guard.fetch(address, init)).rejects.toThrow();
    expect(isCancelled).toBe(true);
  });
});

function streamed(): ReadableStream {
  return new Blob(['a question']).stream();
}
