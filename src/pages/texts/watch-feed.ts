import { html } from 'hono/html';
import { formatUsd } from '../../core/money/micro-usd.ts';
import {
  type Change,
  isSamePayee,
  type Observed,
  type WatchedState,
} from '../../core/seller/observed-state.ts';
import type { Links } from '../../wire/responses/links.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

export interface WatchFeedParts {
  /** The address of the feed. */
  readonly address: string;
  /** Redacted, as receipts show it. */
  readonly url: string;
  readonly newest: Observed | null;
  readonly changes: readonly Change[];
  readonly links: Links;
}

/** Atom 1.0 of the changes at one URL. The template escapes for XML as well as for HTML. */
export async function watchFeed({ address, url, newest, changes, links }: WatchFeedParts): Promise<string> {
  const updated = changes[0]?.after.at ?? newest?.at ?? BEFORE_ALL;
  return String(
    await html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${address}</id>
<title>Assay: changes at ${untrustedText(url)}</title>
<subtitle>Changes of verdict, price and payee, from the weekly crawl and from checks without a caller's own claims or input.</subtitle>
<updated>${updated.toISOString()}</updated>
<author><name>Assay</name></author>
<link rel="self" type="application/atom+xml" href="${address}"/>
${changes.map((change) => entry(change, links))}</feed>
`,
  );
}

/** A feed needs a time, also before the first receipt. */
const BEFORE_ALL = new Date(0);

function entry({ before, after }: Change, links: Links) {
  const address = links.receipt(after.receiptId);
  return html`<entry>
<id>${address}</id>
<title>${differences(before, after).join('; ')}</title>
<link rel="alternate" href="${address}"/>
<updated>${after.at.toISOString()}</updated>
<category term="${after.verdict}"/>
<summary>Before: ${words(before)}. Now: ${words(after)}.</summary>
</entry>
`;
}

function differences(before: WatchedState, after: WatchedState): string[] {
  return [
    ...(before.verdict === after.verdict ? [] : [`Verdict: ${before.verdict} to ${after.verdict}`]),
    ...(before.price === after.price ? [] : [`Price: ${price(before)} to ${price(after)}`]),
    ...(isSamePayee(before, after) ? [] : ['Payee changed']),
  ];
}

function words(state: WatchedState): string {
  const payee = state.payTo === null ? 'no payee' : untrustedText(state.payTo, PAYEE_MAX_CHARS);
  return `${state.verdict}, ${price(state)}, ${payee}`;
}

const PAYEE_MAX_CHARS = 80;

function price({ price: amount }: WatchedState): string {
  return amount === null ? 'no price' : `$${formatUsd(amount)}`;
}
