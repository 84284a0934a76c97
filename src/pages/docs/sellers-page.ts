import { html } from 'hono/html';
import { PROOF_PATH } from '../../core/seller/proof-token.ts';
import { REPLY_MAX_CHARS, RETESTS_PER_ORIGIN_HOUR, WATCH_DAYS } from '../../core/seller/seller-limits.ts';
import type { Links } from '../../wire/responses/links.ts';
import { codeBlock } from '../frame/code-block.ts';
import { type Html, layout } from '../frame/layout.ts';

export interface SellersPageParts {
  readonly links: Links;
  /** A mailto: or web address; null when the operator gave none. */
  readonly contact: string | null;
}

const ENDPOINT = 'https://api.example.com/data';

/** For owners of endpoints: why it is skipped, and what they can do. */
export async function sellersPage({ links, contact }: SellersPageParts): Promise<string> {
  const { base } = links;
  const command = (name: string, more = '') =>
    codeBlock(
      `assay seller ${name} ${ENDPOINT}${more} --key assay.pem --server ${base}`,
      `the command ${name}`,
    );
  const markup = `<a href="${base}/?url=${ENDPOINT}"><img src="${base}/badge.svg?url=${ENDPOINT}" alt="Assay verdict"></a>`;
  const body = html`<h1>For sellers</h1>
<p>Agents ask Assay before they pay. Verdicts are not for sale: what counts is what your endpoint answers.</p>
<h2 id="why">Why was I skipped?</h2>
<p>Open the receipt of your endpoint, from <a href="/v1/skips">the page of skips</a> or after a check on <a href="/">the front page</a>. It compares the
listing with your 402 and names the rule that failed; <a href="/docs#rules">all rules in order</a>. If the list is wrong, correct your entry there: the
next crawl reads it, and we never edit a list. If your 402 is wrong, fix the 402: the receipt says where and how. An endpoint that accepts only POST must be checked with POST: list it with that
method, or choose the method in the form.</p>
<p>An endpoint that checks its input before it asks for payment does not count among the skips. Put an example or a schema of the input, and the values of a
path template, into its entry in the list (<code>extensions.bazaar</code>): we send them once, after a request without input was refused.</p>
<p>Before you publish: <code>assay lint URL</code> applies the same rules from your own machine, and the GitHub Action does so in CI.</p>
<h2 id="prove">Prove that the host is yours</h2>
<p>Create a key, and publish the line that it prints in <code>${PROOF_PATH}</code> of your host, or in a TXT record at <code>_assay.&lt;your host&gt;</code>:</p>
${codeBlock('assay seller key assay.pem', 'the command key')}
<p>Every request is signed with that key. There is no account, and nothing secret is stored here. Without our command line, openssl and curl will do:
<a href="/openapi.json">POST /v1/sellers</a> takes the signed statement.</p>
<h2 id="retest">Check again at once</h2>
${command('retest')}
<p>This sends a new request, even if a recent probe is stored, and judges it against the listing. Its public receipt approves nothing. Your row of the skips
then shows the new verdict; the next crawl replaces the row. The limits are once a minute for a URL and ${RETESTS_PER_ORIGIN_HOUR} times an hour for an origin.</p>
<h2 id="reply">Reply in public</h2>
${command('reply', ' --note "The list has our old price."')}
<p>At most ${REPLY_MAX_CHARS} characters of plain text, shown beside the row and on every receipt of the URL, with the name of your host. One reply for a URL; a newer one
replaces it, and <code>assay seller withdraw-reply</code> removes it. It changes no verdict, and the operator may hide it.</p>
<h2 id="watch">Get notified of changes</h2>
<p><code>${base}/v1/watch.atom?<wbr>url=&lt;endpoint&gt;</code> is a feed of every change of verdict, price or payee. A webhook gets the same, signed, until you
end it with <code>assay seller unwatch</code>, or for ${WATCH_DAYS} days:</p>
${command('watch', ' --webhook https://hooks.example.com/assay')}
<h2 id="badge">Badge</h2>
${codeBlock(markup, 'the badge markup')}
<p>It shows the newest verdict of a live check, the weekly crawl or a re-test, and sends nothing to your endpoint. Add <code>&amp;method=POST</code> for an endpoint
that accepts only POST.</p>
<h2 id="opt-out">Opt out</h2>
${optOut(contact)}`;
  const description = 'Why an x402 endpoint is skipped, how to fix it, and what else its owner can do.';
  return String(
    await layout({ title: 'For sellers', description, address: `${base}/sellers`, body, scripted: true }),
  );
}

function optOut(contact: string | null): Html {
  const whom =
    contact === null
      ? html`Ask the operator of this service`
      : html`<a href="${contact}">Write to us</a> and name your hosts`;
  return html`<p>${whom}: then nothing is sent there any more, and your replies are hidden. Receipts stay. <a href="/prober">About our prober</a>.</p>`;
}
