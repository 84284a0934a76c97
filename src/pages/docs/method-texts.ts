import { html } from 'hono/html';
import { FACTS_ONLY_AFTER_FAILURES, STALE_AFTER_HOURS } from '../../core/limits.ts';
import { WORD_RULE } from '../catalog/service-word.ts';

/** The parts of the method that are text only. */
export const PAID_CALLS = html`<p>The services of <a href="/catalog">the catalog</a> are also called with our own money, where the operator of this service pays for that. A call passes
if its answer is right by a test that was written in advance: predicates over the response, compared with a source that the seller cannot influence. It
fails if one of them does not hold. It is not graded if there is no test or its source was not available, and then it counts for nothing.</p>
<ul>
<li><strong>Pass rate:</strong> passed calls over graded calls, over the newest calls.</li>
<li><strong>Its interval:</strong> the 95 % Wilson score interval, which allows for few calls: two passes of two prove a rate of at least 34 %, twenty of twenty
one of at least 84 %.</li>
<li><strong>Order:</strong> by pass rate, then price. A service without graded calls comes after those that have some; a service whose last
${FACTS_ONLY_AFTER_FAILURES} calls delivered nothing is not ranked. Results older than ${STALE_AFTER_HOURS} hours are marked stale.</li>
<li><strong>The word on a service:</strong> ${WORD_RULE}</li>
</ul>`;

export const MENDING = html`<p>A verdict that proved wrong is corrected in public: <a href="/corrections">the corrections</a> name the receipt, what was wrong and why. The receipt itself stays,
because its hash is in the log. The owner of an endpoint can have it checked again at once, reply beside the verdict, and get notified of changes: <a href="/sellers">for sellers</a>. A
reply changes no verdict.</p>`;

export const INDEPENDENCE = html`<p>Payment never changes a result, a sort order, a listing or a check. It buys more checks and lookups; the code that judges and ranks cannot see who asks or
who has paid.</p>`;
