import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryOpenEndpoints } from '../../../test/support/storing/memory-stores.ts';
import { answered, ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { listed } from '../../../tools/samples/listed.ts';
import type { InputValues, ListedInput } from '../../core/input/listed-input.ts';
import type { ProbeMethod, ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { ProbeRequest } from '../../ports/prober.ts';
import { checkListed } from './check-listed.ts';

const now = () => new Date('2026-11-15T12:00:00.000Z');
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('', '..', ':id', '\ud800', '/x?y#z'));
const pairs = fc.array(fc.tuple(text, text), { maxLength: 3 });
const method = fc.constantFrom<ProbeMethod>('GET', 'POST');
const values: fc.Arbitrary<InputValues> = fc.record({
  query: pairs,
  body: fc.option(fc.constantFrom('{}', '{"city":"Bern"}', `{"x":"${'x'.repeat(2_000)}"}`)),
});
const input: fc.Arbitrary<ListedInput> = fc.record({
  method: fc.option(method),
  example: fc.option(values),
  built: fc.option(values),
  path: pairs,
  required: fc.array(text, { maxLength: 3 }),
});
const URLS = ['https://a.example/x', 'https://a.example/items/:id', 'https://a.example/{a}/{b}?c=1'];
const outcome: fc.Arbitrary<ProbeOutcome> = fc.oneof(
  fc.constantFrom<ProbeOutcome>(paywall([ENTRY]), { kind: 'timed_out' }),
  fc
    .tuple(
      fc.constantFrom(200, 204, 400, 401, 403, 404, 405, 406, 411, 415, 422, 429, 500),
      fc.option(method),
    )
    .map(([status, allow]) => answered({ status, headers: allow === null ? [] : [['Allow', allow]] })),
);
const MAY_WANT_INPUT = new Set([400, 404, 405, 411, 415, 422]);

it('never sends more than two requests, nor a second one where the first was answered well (G100)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...URLS),
      method,
      fc.option(input),
      fc.array(outcome, { minLength: 2, maxLength: 2 }),
      async (url, listedMethod, known, outcomes) => {
        const sent: ProbeRequest[] = [];
        const openEndpoints = memoryOpenEndpoints();
        const prober = {
          isSilent: () => false,
          async probe(request: ProbeRequest): Promise<ProbeOutcome> {
            sent.push(request);
            return outcomes[sent.length - 1] ?? { kind: 'timed_out' };
          },
        };
        const entropy = (bytes: number) => new Uint8Array(bytes);
        const ports = { prober, now, keyOf: (key: string) => key, openEndpoints, entropy };
        const endpoint = listed(url, { method: listedMethod, input: known });
        const receipt = await checkListed('run', endpoint, ports);
        const [first, second] = sent;
        expect(sent.length).toBeLessThanOrEqual(2);
        expect(receipt.url).toBe(endpoint.target.href);
        for (const { target, body = '{}' } of sent) {
          expect(target.authority).toBe('a.example');
          expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_024);
        }
        if (first !== undefined) expect([undefined, '{}']).toContain(first.body);
        if (second === undefined) return;
        const [answer, again] = outcomes;
        expect(answer?.kind === 'answered' && MAY_WANT_INPUT.has(answer.status)).toBe(true);
        expect(second.isOnce).toBe(true);
        const served = again?.kind === 'answered' && again.status < 300;
        expect(await openEndpoints.isOpen(endpoint.target.normalized)).toBe(served);
        // After that it never gets input again.
        sent.length = 0;
        await checkListed('run', endpoint, ports);
        if (served) expect(sent).toHaveLength(1);
      },
    ),
    { numRuns: 2_000 },
  );
});
