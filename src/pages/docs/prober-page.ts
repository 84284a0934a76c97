import { html } from 'hono/html';
import {
  ADDRESS_MINUTE_IN_HOST_MINUTES,
  CRAWL_TIMEOUT_MS,
  PROBE_REUSE_SECONDS,
  PROBES_IN_FLIGHT_PER_ADDRESS,
  PROBES_IN_FLIGHT_PER_HOST,
  PROBES_PER_HOST_MINUTE,
  REDIRECTS_MAX,
} from '../../core/limits.ts';
import { layout } from '../frame/layout.ts';

export interface ProberPageParts {
  /** The address that the prober's User-Agent names. */
  readonly base: string;
  /** A mailto: or web address; null when the operator gave none. */
  readonly contact: string | null;
}

/** For server operators who found our requests in their logs. */
export async function proberPage({ base, contact }: ProberPageParts): Promise<string> {
  const body = html`<h1>About our prober</h1>
<p>You probably came from a line in your server's log. Agents use Assay before they pay an x402
endpoint. It reads what the endpoint asks for, and never pays it.</p>
<h2>Why your server</h2>
<p>Either a caller wanted to pay one of your URLs and had it checked first, or the URL is on a public list of x402
endpoints, all of which a crawl checks, usually once a week. The result is public:
<a href="/v1/receipts">every decision has a receipt</a>.</p>
<h2>What is sent</h2>
<pre tabindex="0" role="region" aria-label="The request"><code>GET /the/path?and=query HTTP/1.1
Host: your.host
User-Agent: Assay-Prober/VERSION (+${base}/prober)
Accept: application/json, */*;q=0.1
Accept-Encoding: identity
Connection: close</code></pre>
<p>A POST carries the JSON body <code>{}</code> with its Content-Type. If that is refused in a way that may mean missing input (HTTP 400,
405, 411, 415, 422, or 404 where the listing has parameters) and the URL is listed, one more request has input: that of the caller,
at most 4 kB, the example of the listing, or values built from its schema, at most 1 kB. Built values are never sent where the path or the
description names an action, and an endpoint that serves such input without payment gets no input again. Where public lists differ about the
method and there is no input to send, that request has the other method. No cookie, no payment, no credentials, and nothing else from the caller. At most ${REDIRECTS_MAX} redirects are followed, and only on the same host. The timeout is
${CRAWL_TIMEOUT_MS / 1_000} seconds.</p>
<p>When a request claims to be from the owner of a host, one GET reads <code>/.well-known/assay-verify.txt</code> of it, at most 4 kB and no redirect; it counts in the
limits below. A webhook gets a POST only where its owner asked for one: <a href="/sellers">for sellers</a>.</p>
<h2>How often</h2>
<ul>
<li>The same URL and method usually once in ${PROBE_REUSE_SECONDS / 60} minutes, for all callers together. Again within that time when an approval is
about to expire or too few others confirm it, with other input, for another spelling of the URL after a failure, or when the owner asks.</li>
<li>Per host and port at most ${PROBES_IN_FLIGHT_PER_HOST} requests at a time and ${PROBES_PER_HOST_MINUTE} a minute for all callers, or what the operator has
configured for a minute; one caller gets a third of that.</li>
<li>Per address, whatever names resolve to it, at most ${PROBES_IN_FLIGHT_PER_ADDRESS} requests at a time and ${PROBES_PER_HOST_MINUTE * ADDRESS_MINUTE_IN_HOST_MINUTES} a minute. An IPv6 network of
48 bits is one address.</li>
<li>A crawl sends one request per listed URL, or two, see above. They do not count towards the requests a minute, but towards those
at a time.</li>
</ul>
<p>One or two requests for a listed URL are not a crawl of a site, so robots.txt is not read.</p>
<h2>How to opt out</h2>
${optOut(contact)}`;
  return String(await layout({ title: 'About our prober', body }));
}

const EFFECT = 'From then on nothing is sent there: no check of a caller, no dry run, no crawl.';

function optOut(contact: string | null) {
  if (contact === null) {
    return html`<p>Ask the operator of this service to add your host names or addresses to the block list. ${EFFECT} The operator has not
published a contact address.</p>`;
  }
  return html`<p>Write to <a href="${contact}">${contact.replace(/^mailto:/, '')}</a> and name your hosts, addresses or
networks. They are added to the block list. ${EFFECT} You can also block that User-Agent.</p>`;
}
