import { Readable } from 'node:stream';
import { trustedProxies } from '../../../src/core/access/caller-address.ts';
import { createApp } from '../../../src/http/app.ts';
import { partsOf } from '../../../src/http/exchange/answer.ts';
import { createLinksFor } from '../../../src/http/exchange/links-for.ts';
import { type DocumentParts, documentRoutes } from '../../../src/http/routes/documents.ts';
import { aService } from '../../../tools/samples/catalog.ts';

export const BASE = 'https://assay.example.org';
export const ALT = 'https://alt.example.org';
export const WALLET = '0x1111111111111111111111111111111111111111';
const NOON = new Date('2026-11-15T12:00:00.000Z');

export type Ask = (
  path: string,
  headers?: Readonly<Record<string, string>>,
  method?: string,
) => Response | Promise<Response>;

/** The documents alone behind the real app, without a store or a prober. */
export function servingDocuments(changes: Partial<DocumentParts> = {}): { ask: Ask; clock: { now: Date } } {
  const clock = { now: NOON };
  const addresses = changes.addresses ?? [BASE, ALT];
  const [base = BASE, ...others] = addresses;
  const app = createApp({
    routes: documentRoutes({
      payTo: WALLET,
      contact: 'mailto:hello@assay.example.org',
      example: aService({ endpoint: 'https://weather.example.com/v1/now', price_usd: '0.02' }),
      now: () => clock.now,
      ...changes,
      addresses,
    }),
    linksFor: createLinksFor(base, others),
    trusts: trustedProxies([]).trusts,
    newRequestId: () => 'request-1',
    now: () => clock.now,
    limits: {
      pools: { read: 10, check: 10, purchase: 10, message: 10 },
      underWayPerAddress: 10,
      readsPerAddressMinute: 10_000,
    },
    onAnswer: () => {},
    onFault: (_, fault) => {
      throw fault;
    },
    stopwatch: () => 0,
  });
  return {
    clock,
    ask: async (path, headers = {}, method = 'GET') => {
      const answer = await app.answer({
        method,
        target: path,
        address: '192.0.2.1',
        header: (name) => headers[name] ?? null,
        body: Readable.from([]),
      });
      // Tests read answers as a browser does.
      const { status, body } = answer;
      const bytes =
        body === null
          ? null
          : new Uint8Array(
              method === 'HEAD' ? [] : Buffer.concat(partsOf(body).map((part) => Buffer.from(part))),
            );
      return new Response(bytes, { status, headers: answer.headers });
    },
  };
}
