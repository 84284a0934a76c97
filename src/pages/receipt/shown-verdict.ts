import { isUncompared } from '../../core/receipt/uncompared.ts';
import { isSetAside } from '../../core/verdict/skip-codes.ts';
import { hostOf } from '../frame/host-of.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import type { VerdictWord } from '../frame/verdict-mark.ts';
import type { ReceiptView } from './receipt-view.ts';

export interface ShownVerdict {
  /** Colour and shape. Green is for what may be relied on now. */
  readonly tone: VerdictWord | 'expired' | 'aside';
  readonly word: string;
  /** With the host, for titles and previews. */
  readonly headline: string;
}

type Shown = Pick<ReceiptView, 'kind' | 'url' | 'verdict' | 'code' | 'claim' | 'approved' | 'needsInput'>;

/** How a verdict is shown at a time: an approval ends with its deadline, and only a live check gives one. */
export function shownVerdict(view: Shown, now: Date, isCorrected: boolean): ShownVerdict {
  const { tone, word, title = word } = stateOf(view, now, isCorrected);
  return {
    tone,
    word,
    headline: `${title.toUpperCase()}: ${untrustedText(hostOf(view.url), HOST_MAX_CHARS)}`,
  };
}

const HOST_MAX_CHARS = 60;

interface State extends Pick<ShownVerdict, 'tone' | 'word'> {
  /** Where the headline is shorter. */
  readonly title?: string;
}

function stateOf(view: Shown, now: Date, isCorrected: boolean): State {
  const { verdict, approved } = view;
  if (isCorrected) return { tone: 'aside', word: `was ${verdict}, corrected` };
  if (wantsInput(view)) return { tone: 'aside', word: 'needs input' };
  if (verdict !== 'pay') return { tone: verdict, word: verdict };
  if (approved !== null && approved.deadline <= now) {
    return { tone: 'expired', word: 'was pay, expired', title: 'was pay' };
  }
  // Sound terms that nobody vouches for have neither the colour nor the tick of an approval.
  const isBare = isUncompared({ verdict, expected: view.claim });
  const words = [
    'pay',
    ...(isBare ? ['nothing compared'] : []),
    ...(approved === null ? ['not an approval'] : []),
  ];
  return { tone: isBare ? 'recheck' : 'pay', word: words.join(', ') };
}

function wantsInput({ needsInput, code }: Shown): boolean {
  return needsInput !== null || isSetAside(code);
}
