import type { TlsRequest, TlsResponse, Trial } from './trial.ts';

export interface Site {
  /** Always from the same address. */
  readonly ask: (path: string, more?: Partial<TlsRequest>) => Promise<TlsResponse>;
  /** The status of a request from another one. */
  readonly askFromElsewhere: (path: string) => Promise<number>;
  readonly killOne: () => void;
}

const LOOKUP = '/v1/lookup?task=web-search';
const KILOBYTE = 1_024;
const ASKED_AFTER_KILL = 40;

/** What has to hold behind the proxy, with two free lookups for each address. */
export async function trySite(trial: Trial, site: Site): Promise<void> {
  const { ask, killOne } = site;
  const ready = await ask('/readyz');
  trial.check('/readyz is answered over TLS', ready.status === 200, ready.status);
  await tryAddresses(trial, site);
  await trySizes(trial, site);
  killOne();
  const statuses = new Set<number>();
  for (let n = 0; n < ASKED_AFTER_KILL; n += 1) statuses.add((await ask('/healthz')).status);
  trial.check(
    'with one process killed the other answers everything',
    [...statuses].join() === '200',
    [...statuses].join(),
  );
}

async function tryAddresses(trial: Trial, { ask, askFromElsewhere }: Site): Promise<void> {
  const used = [];
  for (let n = 0; n < 3; n += 1) used.push((await ask(LOOKUP)).status);
  trial.check(
    'the third lookup of an address is not free',
    used.join().startsWith('200,200,') && used[2] !== 200,
    used.join(),
  );
  for (const header of ['x-forwarded-for', 'forwarded']) {
    const value = header === 'forwarded' ? 'for=192.0.2.7' : '192.0.2.7';
    const forged = await ask(LOOKUP, { headers: { [header]: value } });
    trial.check(`a forged ${header} does not make it free`, forged.status !== 200, forged.status);
  }
  const other = await askFromElsewhere(LOOKUP);
  trial.check('another address has its own', other === 200, other);
}

async function trySizes(trial: Trial, { ask }: Site): Promise<void> {
  const message = (size: number) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { filler: '' } } };
    call.params._meta.filler = 'x'.repeat(size - JSON.stringify(call).length);
    return JSON.stringify(call);
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const full = await ask('/mcp', { headers, body: message(64 * KILOBYTE) });
  trial.check(
    'a message of 64 kB reaches /mcp',
    full.status === 200,
    `${full.status} ${full.body.slice(0, 200)}`,
  );
  const over = await ask('/mcp', { headers, body: message(64 * KILOBYTE + 1) });
  trial.check('a larger one is refused with 413', over.status === 413, over.status);
  const payment = await ask(LOOKUP, {
    headers: { 'payment-signature': 'A'.repeat(16 * KILOBYTE) },
  });
  trial.check(
    'a payment header of 16 kB reaches the service',
    String(payment.headers['content-type']).includes('json'),
    `${payment.status} ${payment.body.slice(0, 200)}`,
  );
}
