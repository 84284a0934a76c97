import { html } from 'hono/html';
import { BECAUSE_MAX_CHARS } from '../../core/statement/correction.ts';
import type { StoredCorrection } from '../../ports/log/corrections.ts';
import type { Html } from '../frame/layout.ts';
import { shownTime } from '../frame/shown-time.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { verdictMark } from '../frame/verdict-mark.ts';

/** Above everything else: the verdict below is not what we say today. */
export function correctedNotice(corrections: readonly StoredCorrection[]): Html | string {
  const [last] = corrections;
  if (last === undefined) return '';
  return html`<section class="corrected" aria-label="Correction">
<p><strong>This verdict was wrong.</strong> The right verdict is ${verdictMark(last.is)}. <bdi>${untrustedText(last.because, BECAUSE_MAX_CHARS)}</bdi></p>
<p class="quiet">Corrected ${shownTime(last.at)}. The receipt below is what we said then. <a href="/corrections">All corrections</a></p>
</section>`;
}
