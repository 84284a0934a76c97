import { html } from 'hono/html';
import type { Verification } from '../../flows/read/receipt-verification.ts';
import type { Links } from '../../wire/responses/links.ts';
import { codeBlock } from '../frame/code-block.ts';
import { copyButton } from '../frame/copy-button.ts';
import type { Html } from '../frame/layout.ts';

/** How anybody checks a receipt without trusting us, and what stays our word. */
export function verifyReceipt(verification: Verification | null, links: Links): Html {
  if (verification === null) {
    return html`<p>This receipt is from before there were statements: there is nothing to judge again, and the log does not have it.</p>`;
  }
  const { id, sha256, rulesVersion } = verification;
  return html`<dl class="verify">
<dt>Statement</dt><dd><a href="/v1/receipts/${id}/statement">what we say we saw, and what follows</a></dd>
<dt>Its SHA-256</dt><dd><code class="hash">${sha256}</code> ${copyButton(sha256, 'the hash')}</dd>
<dt>In the log</dt><dd>${placeOf(verification)}</dd>
<dt>Keys</dt><dd><a href="/log/policy">policy of the log</a></dd>
<dt>Rules</dt><dd><a href="/log/rules/${rulesVersion}.mjs">version ${rulesVersion}</a></dd>
</dl>
<p><strong>Proof:</strong> that we said this at that time, that it cannot be changed or left out unnoticed, and that the verdict
follows from what we say we saw. <strong>Our word:</strong> that the endpoint answered like this.</p>
<p>With the command line tool, which also remembers the log:</p>
${codeBlock(`assay receipt ${id} --verify --server ${links.base}`, 'the command')}
<p>Without it, with two downloads. It prints the SHA-256 and an empty list if the verdict follows from the statement:</p>
${codeBlock(twoDownloads(verification, links), 'the commands')}`;
}

function placeOf({ id, logged, place }: Verification): Html {
  if (place === 'waiting') return html`waits for its place; this takes a few seconds`;
  if (place === null) return html`${logged === 'run' ? 'no: its run has no entry' : 'no'}`;
  const what = logged === 'run' ? 'its run is entry' : 'entry';
  return html`${what} ${place}, <a href="/v1/receipts/${id}/proof">proof file</a> (<a href="/v1/receipts/${id}/proof.tlog-proof">C2SP form</a>)`;
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
