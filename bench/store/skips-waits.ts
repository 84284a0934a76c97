import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { partsOf } from '../../src/http/exchange/answer.ts';
import type { CrawlPages } from '../../src/http/routes/crawl-pages.ts';
import { skipsRoute } from '../../src/http/routes/skips.ts';
import type { Finding } from '../report/findings.ts';
import { exchangeOf } from './views.ts';

const ROUNDS = 15;
const RATIO_MAX = 1.5;

interface Sides {
  /** Each call has rendered and counted nothing yet. */
  readonly few: () => CrawlPages;
  readonly many: () => CrawlPages;
  /** The last page among many; among few it is the second. */
  readonly lastPage: number;
}

interface Wait {
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

/** How long a browser waits for the page of skips, rendered and from memory, among many beside among few; in turn. */
export async function benchSkipsWaits({ few, many, lastPage }: Sides): Promise<Finding[]> {
  const serving: { pages: CrawlPages } = { pages: few() };
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').search.slice(1);
    const { status, headers, body } = await skipsRoute(serving.pages, 'skips_html')(
      exchangeOf('/v1/skips', query),
      '',
    );
    response.writeHead(status, headers);
    for (const part of body === null ? [] : partsOf(body)) response.write(part);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const agent = new Agent({ keepAlive: true });
  // A listening TCP server has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const ask = (query: string) => waitFor(`http://127.0.0.1:${port}/?${query}`, agent);
  const views = [
    { what: 'first page', beside: '', query: '' },
    { what: `page ${lastPage / 2}`, beside: 'page=2', query: `page=${lastPage / 2}` },
    { what: `page ${lastPage}, the last`, beside: 'page=2', query: `page=${lastPage}` },
    { what: 'reason=price_mismatch', beside: 'reason=price_mismatch', query: 'reason=price_mismatch' },
  ];
  const findings: Finding[] = [];
  for (const { what, beside, query } of views) {
    const cold: Record<'few' | 'many', Wait[]> = { few: [], many: [] };
    const warm: Record<'few' | 'many', Wait[]> = { few: [], many: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      serving.pages = few();
      cold.few.push(await ask(beside));
      warm.few.push(await ask(beside));
      serving.pages = many();
      cold.many.push(await ask(query));
      warm.many.push(await ask(query));
    }
    findings.push(
      finding(`a browser waits, ${what}, rendered`, cold.many, cold.few),
      finding(`a browser waits, ${what}, from memory`, warm.many, warm.few),
    );
  }
  agent.destroy();
  server.close();
  return findings;
}

async function waitFor(url: string, agent: Agent): Promise<Wait> {
  const start = performance.now();
  const [response] = await once(get(url, { agent }), 'response');
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  let firstByteMs = 0;
  response.on('data', () => {
    firstByteMs ||= performance.now() - start;
  });
  await once(response, 'end');
  return { firstByteMs, wholeMs: performance.now() - start };
}

function finding(what: string, many: readonly Wait[], few: readonly Wait[]): Finding {
  const [ours, bare] = [shortestOf(many), shortestOf(few)];
  const ratio = Math.max(ours.wholeMs / bare.wholeMs, ours.firstByteMs / bare.firstByteMs);
  return {
    what,
    measured: show(ours),
    bare: show(bare),
    ratio,
    bound: `<= ${RATIO_MAX}`,
    kept: ratio <= RATIO_MAX,
  };
}

/** The shortest of all rounds: what is longer waited for somebody else on a busy machine. */
function shortestOf(waits: readonly Wait[]): Wait {
  return {
    firstByteMs: Math.min(...waits.map(({ firstByteMs }) => firstByteMs)),
    wholeMs: Math.min(...waits.map(({ wholeMs }) => wholeMs)),
  };
}

function show({ firstByteMs, wholeMs }: Wait): string {
  return `first byte ${firstByteMs.toFixed(2)} ms, whole ${wholeMs.toFixed(2)} ms`;
}
