import { gzipSync } from 'node:zlib';
import { base64, THIEF } from '../../../../tools/samples/challenge.ts';
import { DAI } from '../../judging.ts';
import type { Sale, SellerScript } from './hostile-seller.ts';
import { DEAR, entryFor, inBoth, toThief } from './seller-terms.ts';

const GOODS = '{"delivered":true}';
const YEAR_SECONDS = 31_536_000;
/** More than the megabyte up to which an answer may be kept in memory. */
const LARGE_CHUNKS = 40;
export const LARGE_BYTES = LARGE_CHUNKS * 65_536;

/** Sold as it should be, with other terms. */
const honest = (shows: SellerScript['shows']): SellerScript => ({ shows, sells: deliver });
/** The terms as they should be, with another end. */
const ending = (sells: SellerScript['sells']): SellerScript => ({
  shows: ({ seller }) => inBoth(entryFor(seller)),
  sells,
});

/** What a seller may do, by name. Without other words it shows both versions, one cent to itself. */
const SCRIPTS = {
  honest: ending(deliver),
  honestV2: honest(({ seller }) => ({ header: [entryFor(seller)], body: null })),
  honestV1: honest(({ seller }) => ({ header: null, body: [entryFor(seller)] })),
  amountAsNumber: honest(({ seller }) => inBoth(entryFor(seller, { amount: 10_000 }))),
  amountAsNumberV2: honest(({ seller }) => ({ header: [entryFor(seller, { amount: 10_000 })], body: null })),
  amountAsNumberV1: honest(({ seller }) => ({ header: null, body: [entryFor(seller, { amount: 10_000 })] })),

  /** Settles, and the answer is lost; the same payment brings the goods. */
  losesAnswer: ending(async (sale) => {
    if (sale.isRepeated) send(sale, GOODS);
    else if (await sale.settles()) sale.response.destroy();
  }),
  /** The same with a server of the SDK, to which a used payment is no payment. */
  losesAnswerForGood: ending(async (sale) => {
    if (await sale.settles()) sale.response.destroy();
  }),
  /** Settles, and no answer ever comes. */
  losesEveryAnswer: ending(async (sale) => {
    if (sale.isRepeated || (await sale.settles())) sale.response.destroy();
  }),
  /** Takes the payment, settles nothing, and gives no answer. */
  dropsPayment: ending(async ({ response }) => void response.destroy()),
  /** Settles, and asks for payment again, every time. */
  asksAgain: ending(async (sale) => {
    if (sale.isRepeated || (await sale.settles())) sale.asks('Payment required');
  }),
  deliversNothing: ending(async (sale) => {
    if (sale.isRepeated || (await sale.settles())) sale.response.writeHead(200, receipt()).end();
  }),
  failsAfterSettling: ending(async (sale) => {
    if (sale.isRepeated || (await sale.settles())) sale.response.writeHead(500).end('{"error":"internal"}');
  }),
  /** Settles and waits for a step before the answer, unless the payment came before. */
  answersLate: ending(async (sale) => {
    if (sale.isRepeated) return send(sale, GOODS);
    if (!(await sale.settles())) return;
    await sale.step();
    send(sale, GOODS);
  }),

  wantsOneYear: honest(({ seller }) => inBoth(entryFor(seller, { maxTimeoutSeconds: YEAR_SECONDS }))),
  thiefFirst: honest(({ seller }) => inBoth(toThief({ amount: DEAR }), entryFor(seller))),
  thiefFirstV2: honest(({ seller }) => ({
    header: [toThief({ amount: DEAR }), entryFor(seller)],
    body: null,
  })),
  thiefAtSamePrice: honest(({ seller }) => inBoth(toThief(), entryFor(seller))),
  headerAndBodyDiffer: honest(({ seller }) => ({ header: [entryFor(seller)], body: [toThief()] })),
  permit: honest(({ seller }) =>
    inBoth(entryFor(seller, { extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } })),
  ),
  /** The entry is USDC, and the signature that it leads some payers to is for another token. */
  otherDomain: honest(({ seller }) =>
    inBoth(entryFor(seller, { extra: { name: 'USD Coin', version: '2', verifyingContract: DAI } })),
  ),
  otherPayee: honest(() => inBoth(toThief())),
  otherNetwork: honest(({ seller }) =>
    inBoth(entryFor(seller, { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' })),
  ),
  unknownNetwork: honest(({ seller }) => inBoth(entryFor(seller, { network: 'eip155:56' }))),
  otherAsset: honest(({ seller }) => inBoth(entryFor(seller, { asset: DAI }))),
  raisedPrice: honest(({ seller }) => inBoth(entryFor(seller, { amount: '50000' }))),
  /** Sells once, and then names another payee. */
  changesPayee: honest(({ seller }, { settled }) => inBoth(settled === 0 ? entryFor(seller) : toThief())),
  /** Sells once, and then for more. */
  raisesPrice: honest(({ seller }, { settled }) =>
    inBoth(entryFor(seller, settled === 0 ? {} : { amount: '20000' })),
  ),
  unreadable: honest(() => ({ header: null, body: null })),
  /** Begins a 402 that does not end before a step. */
  neverEnds402: { ...ending(deliver), isSlow: true },
  givesTrial: { ...ending(deliver), fields: { 'x-free-trial-remaining': '3' } },
  clockOfYesterday: {
    ...ending(deliver),
    fields: { date: new Date(Date.now() - 86_400_000).toUTCString() },
  },

  /** The request with the payment is sent on to another origin. */
  redirectsPaid: {
    ...ending(deliver),
    redirects: ({ elsewhere }, { isPaid }) => (isPaid ? elsewhere : null),
  },
  /** Every request is sent on to another origin, which asks for money. */
  asksElsewhere: { ...ending(deliver), redirects: ({ elsewhere }) => elsewhere },
  /** The goods have moved to another address of the same origin. */
  moved: {
    ...ending(deliver),
    redirects: ({ url }, { path }) => (path.includes('/here') ? null : `${url}/here`),
  },

  /** A head, then an event for every step of the test, three in all. */
  streamsEvents: ending(async (sale) => {
    if (!sale.isRepeated && !(await sale.settles())) return;
    sale.response.writeHead(200, { ...receipt(), 'content-type': 'text/event-stream' }).flushHeaders();
    for (const event of ['one', 'two', 'three']) {
      await sale.step();
      sale.response.write(`data: ${event}\n\n`);
    }
    sale.response.end();
  }),
  deliversMuch: ending(async (sale) => {
    if (!sale.isRepeated && !(await sale.settles())) return;
    sale.response.writeHead(200, { ...receipt(), 'content-type': 'text/plain' });
    for (let sent = 0; sent < LARGE_CHUNKS; sent += 1) sale.response.write('x'.repeat(65_536));
    sale.response.end();
  }),
  deliversGzip: ending(async (sale) => {
    if (!sale.isRepeated && !(await sale.settles())) return;
    sale.response
      .writeHead(200, { ...receipt(), 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(GOODS));
  }),
  /** Promises more than it sends, and hangs up. The same payment brings all of it. */
  cutsBody: ending(async (sale) => {
    if (sale.isRepeated) return send(sale, GOODS);
    if (!(await sale.settles())) return;
    sale.response.writeHead(200, {
      ...receipt(),
      'content-type': 'application/json',
      'content-length': '100',
    });
    sale.response.write(GOODS, () => sale.response.destroy());
  }),
  /** The same with a stream, which is passed on before its end is known. */
  cutsStream: ending(async (sale) => {
    if (sale.isRepeated) return send(sale, GOODS);
    if (!(await sale.settles())) return;
    sale.response.writeHead(200, { ...receipt(), 'content-type': 'text/event-stream' });
    sale.response.write('data: one\n\n', () => sale.response.destroy());
  }),
} satisfies Readonly<Record<string, SellerScript>>;

export type SellerName = keyof typeof SCRIPTS;
export const SELLERS: Readonly<Record<SellerName, SellerScript>> = SCRIPTS;

/** Verify, settle, deliver; a payment that came before brings the goods again. */
async function deliver(sale: Sale): Promise<void> {
  if (sale.isRepeated || (await sale.settles())) send(sale, GOODS);
}

/** What the thief's own origin does with a request that is sent there. */
export const THIEVES_STALL: SellerScript = honest(() => inBoth(entryFor(THIEF)));

function send({ response }: Sale, body: string): void {
  response.writeHead(200, { ...receipt(), 'content-type': 'application/json' }).end(body);
}

function receipt(): Readonly<Record<string, string>> {
  return { 'payment-response': base64('{"success":true,"network":"eip155:8453","transaction":"0x01"}') };
}
