import { html } from 'hono/html';
import { REPLY_MAX_CHARS } from '../../core/seller/seller-limits.ts';
import type { Reply } from '../../ports/seller.ts';
import type { Html } from './layout.ts';
import { shownTime } from './shown-time.ts';
import { untrustedText } from './untrusted-text.ts';

/** The words of a seller, apart from ours and marked as theirs. Nothing in them becomes a link. */
export function sellerReply({ note, at }: Reply, host: string): Html {
  return html`<figure class="reply"><figcaption>The seller replies, signed with the key published at <bdi>${untrustedText(host, 80)}</bdi>:</figcaption>
<blockquote><p><bdi>${untrustedText(note, REPLY_MAX_CHARS)}</bdi></p></blockquote>
<p class="quiet">${shownTime(at)}. We do not check what sellers say.</p></figure>`;
}
