import { expect, it } from 'vitest';
import { seededSigner } from '../../../test/support/log/seeded-signer.ts';
import { receiptOf, unclaimed } from '../../../test/support/random-checks.ts';
import { vantageOf } from '../../../test/support/vantage/views.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { encodeBase64 } from '../log/base64.ts';
import { noteKeyText } from '../log/note.ts';
import { seenIn } from '../statement/seen.ts';
import { statementOfLive } from '../statement/stated-live.ts';
import { observationText } from '../vantage/observation-text.ts';
import type { View } from '../vantage/view.ts';
import { observe } from '../verdict/observation.ts';
import { statementFacts } from './statement-facts.ts';
import { viewsStep } from './views-step.ts';

const SEEN = paywall([ENTRY]);
const SIGNER = seededSigner('vantage.example/v1');

function signed(at: Date): View {
  const stated = { at, request: '0'.repeat(64), seen: seenIn(observe(SEEN)) };
  const signature = encodeBase64(SIGNER.sign(Buffer.from(observationText(stated))));
  return { ...stated, vantage: noteKeyText(SIGNER.key), signature };
}

function stepOf(views: readonly View[] | null) {
  const [check] = unclaimed(SEEN);
  const others = views === null ? null : { needed: 1, views };
  const text = statementOfLive(receiptOf({ ...check, views: others }, true, 'live')) ?? '';
  const facts = statementFacts(Buffer.from(text));
  if (facts === null) throw new Error('the statement should be readable');
  return viewsStep(facts)?.state ?? null;
}

it.each<[string, readonly View[] | null, string | null]>([
  ['nobody was asked', null, null],
  ['nobody answered', [], 'ok'],
  ['a view is signed', [signed(NOON)], 'ok'],
  ['a view has the signature of another', [{ ...signed(NOON), at: new Date(NOON.getTime() + 1) }], 'failed'],
  ['a view has another key', [{ ...signed(NOON), vantage: vantageOf(1) }], 'failed'],
  ['a view is of another day', [signed(new Date(NOON.getTime() - 86_400_000))], 'failed'],
])('%s', (_, views, state) => {
  expect(stepOf(views)).toBe(state);
});
