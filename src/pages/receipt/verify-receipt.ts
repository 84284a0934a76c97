import { html } from 'hono/html';
import type { Verification } from '../../flows/read/receipt-verification.ts';
import type { Links } from '../../wire/responses/links.ts';
import { hashText } from '../frame/breakable.ts';
import { codeBlock } from '../frame/code-block.ts';
import type { Html } from '../frame/layout.ts';
import { LIMITS_OF_A_CHECK } from './not-proven.ts';

/** What of a receipt is proof, what is our word, and how anybody checks it without trusting us. */
export function verifyReceipt(verification: Verification | null, links: Links): Html {
  return html`<section class="panel verification" aria-labelledby="verify">
<h2 id="verify">Verify this receipt</h2>
${verification === null ? OLD : proofs(verification, links)}
<details>
<summary>What this does not prove</summary>
${LIMITS_OF_A_CHECK}
</details>
</section>`;
}

const OLD = html`<p>This receipt is older than the log. It has no statement, so it cannot be verified.</p>`;

function proofs(verification: Verification, links: Links): Html {
  const { id, sha256, rulesVersion } = verification;
  return html`<ul class="proofs">
<li>${placeOf(verification)}</li>
<li><strong>Proof:</strong> the verdict follows from <a href="/v1/receipts/${id}/statement">what we say we saw</a>, by <a href="/log/rules/${rulesVersion}.mjs">the rules, version ${rulesVersion}</a>.</li>
<li><strong>Our word only:</strong> that the endpoint sent this response.</li>
</ul>
<p class="fingerprint">SHA-256 of the statement: <code>${hashText(sha256)}</code></p>
<details>
<summary>How to verify it</summary>
<p>With the command line tool, which also remembers the log:</p>
${codeBlock(`assay receipt ${id} --verify --server ${links.base}`, 'the command to verify it')}
<p>Without it, with two downloads. It prints the SHA-256 and an empty list if the verdict follows from the statement:</p>
${codeBlock(twoDownloads(verification, links), 'the downloads to verify it')}
<p>The keys of the log and its witnesses: <a href="/log/policy">policy of the log</a>.</p>
</details>`;
}

function placeOf({ id, logged, place }: Verification): Html {
  if (place === 'waiting') {
    return html`<strong>Not proved yet:</strong> that we said this. It waits for its place in the log, which takes a few seconds.`;
  }
  if (place === null) {
    return html`<strong>Not proved:</strong> that we said this. The log has no entry of ${logged === 'run' ? 'its run' : 'it'}.`;
  }
  const what = logged === 'run' ? 'Its run is' : 'It is';
  return html`<strong>Proof:</strong> we said this at that time, and it cannot be changed or left out unnoticed. ${what} entry ${place} of the log: <a href="/v1/receipts/${id}/proof">proof file</a>, <a href="/v1/receipts/${id}/proof.tlog-proof">C2SP form</a>.`;
}

/** Plain texts of ours only: nothing in them is special to a shell. */
function twoDownloads({ id, rulesVersion }: Verification, { base }: Links): string {
  const rules = `rules-${rulesVersion}.mjs`;
  return [
    `curl -fsS '${base}/v1/receipts/${id}/statement' -o '${id}.json'`,
    `curl -fsS '${base}/log/rules/${rulesVersion}.mjs' -o '${rules}'`,
    `node --input-type=module -e "import { readFileSync } from 'node:fs'; import { createHash } from 'node:crypto'; import { judgeAgain } from './${rules}'; const text = readFileSync('${id}.json', 'utf8'); console.log(createHash('sha256').update(text).digest('base64'), judgeAgain(text))"`,
  ].join('\n');
}
