import { UNCOMPARED_WORDS } from '../../core/receipt/uncompared.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import { secondOf } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import type { ReceiptView } from './receipt-view.ts';
import type { ShownVerdict } from './shown-verdict.ts';

/** What to do now, by how the verdict is shown. */
export function adviceOn({ kind, approved, verdict }: ReceiptView, { tone }: ShownVerdict): string {
  if (tone === 'aside') return verdict === 'skip' ? NEEDS_INPUT : '';
  if (tone === 'skip') return 'Do not pay.';
  if (verdict === 'recheck') return 'No decision. Do not pay; check again later.';
  if (approved === null) return `${NO_APPROVAL[kind]} Run a live check before you pay.`;
  if (tone === 'expired')
    return `Do not sign: the approval expired at ${secondOf(approved.deadline)}. Check again before you pay.`;
  const sign = `exactly the terms below, and nothing else, before ${secondOf(approved.deadline)}.`;
  return tone === 'recheck' ? `If you know that they are right, sign ${sign}` : `Sign ${sign}`;
}

export const CORRECTED = 'Do not act on this verdict: it was corrected, see above.';

const NEEDS_INPUT =
  'Nothing was found against it. Check it again with the input that it needs, before you pay.';

const NO_APPROVAL: Readonly<Record<ReceiptView['kind'], string>> = {
  live: 'This receipt has no terms to sign.',
  'dry-run': 'A dry run is never an approval.',
  crawl: 'A crawl receipt is never an approval.',
};

/** One sentence for previews, which outlive a deadline. */
export function descriptionOf(
  view: ReceiptView,
  shown: ShownVerdict,
  corrections: readonly Pick<StoredCorrection, 'is'>[],
): string {
  const { approved, kind, verdict } = view;
  const sentence = untrustedText(view.sentence);
  const [last] = corrections;
  if (last !== undefined) return `This verdict was wrong. The right verdict is ${last.is}.`;
  if (shown.tone === 'aside') return `Needs input before it asks for payment. ${sentence}`;
  if (verdict !== 'pay') return sentence;
  if (approved === null) return `${sentence} ${NO_APPROVAL[kind]}`;
  const until = secondOf(approved.deadline);
  if (shown.tone === 'expired') return `The approval expired at ${until}. Check again before you pay.`;
  return `${sentence}${shown.tone === 'recheck' ? ` ${UNCOMPARED_WORDS}` : ''} Valid until ${until}.`;
}
