import { ENTRY, PAYEE } from '../../../tools/samples/challenge.ts';
import { DAI, SOLANA } from '../addresses.ts';
import { behaviours, type Details, NOWHERE } from '../behaviour.ts';
import { bazaarRow, directoryRow } from '../lists.ts';
import { BY_PERMIT, entry, ON_SOLANA, ON_TESTNET, old, onNetwork, withExtra } from '../offers.ts';
import { dual, inHeader, v1, v2 } from '../seller.ts';

/** Listed as it is sold. */
const asListed = (accepts: readonly object[]): Details => ({
  sell: v2(accepts),
  rows: (url) => [bazaarRow(url, {}, accepts)],
});
const priced = (amount: string): Details => asListed([entry({ amount })]);

const NETWORKS = behaviours('honest', 'networks', {
  Ethereum: asListed([onNetwork('ethereum')]),
  Optimism: asListed([onNetwork('optimism')]),
  Polygon: asListed([onNetwork('polygon')]),
  Arbitrum: asListed([onNetwork('arbitrum')]),
  Avalanche: asListed([onNetwork('avalanche')]),
  Solana: asListed([ON_SOLANA]),
  'Solana by its old name': {
    sell: v1([old({ ...ON_SOLANA, network: 'solana', maxAmountRequired: '10000', amount: undefined })]),
    rows: (url) => [bazaarRow(url, {}, [ON_SOLANA])],
  },
  'Polygon, which the caller wants': {
    sell: v2([onNetwork('polygon')]),
    rows: NOWHERE,
    asked: { network: 'eip155:137', claimed_price: '0.01' },
  },
});

const SEVERAL = behaviours('honest', 'several networks', {
  'Base and Polygon': asListed([ENTRY, onNetwork('polygon')]),
  'Polygon and Base': asListed([onNetwork('polygon'), ENTRY]),
  'Base, listed alone, and Polygon': v2([ENTRY, onNetwork('polygon')]),
  'Base and Solana': asListed([ENTRY, ON_SOLANA]),
  'Solana and Base': asListed([ON_SOLANA, ENTRY]),
  'Base, listed alone, and Solana': v2([ENTRY, ON_SOLANA]),
  'Solana, which the caller wants': {
    sell: v2([ENTRY, ON_SOLANA]),
    rows: NOWHERE,
    asked: { network: SOLANA, claimed_price: '0.01' },
  },
  'six EVM networks and Solana': asListed([
    ENTRY,
    ...['ethereum', 'optimism', 'polygon', 'arbitrum', 'avalanche'].map((name) => onNetwork(name)),
    ON_SOLANA,
  ]),
  'a network that we do not support': v2([ENTRY, entry({ network: 'eip155:1329', asset: DAI })]),
  'a chain without EVM': v2([ENTRY, entry({ network: 'stellar:pubnet', payTo: 'GABC', asset: 'USDC' })]),
  'a network without a name that we know': v2([ENTRY, entry({ network: 'skale-europa', asset: DAI })]),
  'cheaper on Polygon': v2([ENTRY, onNetwork('polygon', { amount: '9000' })]),
  'a testnet behind the mainnet': v2([ENTRY, ON_TESTNET]),
  'a testnet behind the mainnet in version 1': v1([old(), old({ ...ON_TESTNET, network: 'base-sepolia' })]),
  'another token to the same payee': v2([ENTRY, entry({ asset: DAI, amount: '10000000000000000' })]),
});

const SCHEMES = behaviours('honest', 'several schemes', {
  'exact and upto': v2([ENTRY, entry({ scheme: 'upto', amount: '50000' })]),
  'upto and exact': v2([entry({ scheme: 'upto', amount: '50000' }), ENTRY]),
  'exact and batch settlement': v2([
    ENTRY,
    entry({ scheme: 'batch-settlement', extra: { withdrawDelay: 86_400 } }),
  ]),
  'exact and a scheme that nobody knows': v2([ENTRY, { scheme: 'stream', perSecond: '1' }]),
  'the transfer, then Permit2': v2([ENTRY, BY_PERMIT]),
  'the transfer, then Permit2, in both forms': dual(
    [ENTRY, BY_PERMIT],
    [old(), old({ extra: { assetTransferMethod: 'permit2' } })],
  ),
  'the transfer, then Permit2, and Solana': v2([ENTRY, BY_PERMIT, ON_SOLANA]),
  'another token by Permit2': v2([
    ENTRY,
    entry({ asset: DAI, amount: '1', extra: { assetTransferMethod: 'permit2' } }),
  ]),
  'an entry without a payee': v2([ENTRY, entry({ payTo: '' })]),
  'an entry that is null': v2([ENTRY, null]),
});

const PRICES = behaviours('honest', 'prices', {
  'a millionth of a dollar': priced('1'),
  'a tenth of a cent': priced('1000'),
  'an odd number of millionths': priced('123457'),
  'a dollar': priced('1000000'),
  'ten dollars, unlisted': { sell: v2([entry({ amount: '10000000' })]), rows: NOWHERE },
  'twenty-five dollars, listed': priced('25000000'),
  'a thousand dollars, listed': priced('1000000000'),
  'a hundred dollars, claimed': {
    sell: v2([entry({ amount: '100000000' })]),
    rows: NOWHERE,
    asked: { claimed_price: '100' },
  },
  'listed as text in dollars': {
    sell: v2([entry({ amount: '25000' })]),
    rows: (url) => [directoryRow(url, { price_usd: '0.025' })],
  },
  'listed as a range of one price': {
    sell: v2([entry({ amount: '25000' })]),
    rows: (url) => [directoryRow(url, { price_usd: null, price_min: 0.025, price_max: 0.025 })],
  },
  'listed as a range': {
    sell: v2([entry({ amount: '25000' })]),
    rows: (url) => [directoryRow(url, { price_usd: null, price_min: 0.01, price_max: 0.05 })],
  },
});

const TIMES = behaviours('honest', 'time limits', {
  'five seconds': v2([entry({ maxTimeoutSeconds: 5 })]),
  'five minutes': v2([entry({ maxTimeoutSeconds: 300 })]),
  'an hour': v2([entry({ maxTimeoutSeconds: 3_600 })]),
  'a day': v2([entry({ maxTimeoutSeconds: 86_400 })]),
  none: v2([entry({ maxTimeoutSeconds: undefined })]),
  null: v2([entry({ maxTimeoutSeconds: null })]),
  'half a second more': v2([entry({ maxTimeoutSeconds: 60.5 })]),
  'a moment in ten minutes': v2([entry({ validBefore: '1794744600' })]),
  'a moment as ISO 8601 in extra': v2([withExtra({ validBefore: '2026-11-15T12:10:00Z' })]),
});

const SIGNED = { format: 'jws', acceptIndex: 0, signature: 'eyJhbGciOiJFUzI1NksifQ.e30.c2lnbmF0dXJl' };

const MORE = behaviours('honest', 'extra members and extensions', {
  'no extra': v2([entry({ extra: undefined })]),
  'an empty extra': v2([entry({ extra: {} })]),
  'another name of the coin': v2([entry({ extra: { name: 'USDC', version: '2' } })]),
  'members of the seller in extra': v2([withExtra({ merchant: 'a shop', tier: 'standard', sku: 7 })]),
  'the decimals': v2([withExtra({ decimals: 6 })]),
  'the transfer method by its name': v2([withExtra({ assetTransferMethod: 'eip3009' })]),
  'the payment flow by its name': v2([withExtra({ paymentFlow: 'authorization' })]),
  'the contract and the chain of the token': v2([
    withExtra({ verifyingContract: ENTRY.asset.toLowerCase(), chainId: 8_453 }),
  ]),
  'the chain as text': v2([withExtra({ chainId: '8453' })]),
  'the payee again under another name': v2([entry({ currency: ENTRY.asset, recipient: PAYEE })]),
  'the price again in dollars': v2([entry({ price: '$0.01', priceUsd: 0.01 })]),
  'a discovery extension': v2([ENTRY], {
    extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } }, routeTemplate: ':var1' } },
  }),
  'signed offers': v2([ENTRY], { extensions: { 'offer-receipt': { info: { offers: [SIGNED] } } } }),
  'a sign-in extension': v2([ENTRY], {
    extensions: { 'sign-in-with-x': { info: { domain: 'seller.example', nonce: 'a1b2c3d4' } } },
  }),
  'an extension that nobody knows': v2([ENTRY], {
    extensions: { 'x-loyalty': { points: 5, of: [1, 2, 3] } },
  }),
  'unknown members beside accepts': v2([ENTRY], {
    facilitator: 'https://pay.example',
    docs: 'https://a.example',
  }),
  'words of another script': inHeader({ x402Version: 2, error: 'Zahlung nötig: 支払い', accepts: [ENTRY] }),
});

export const OFFERED = [...NETWORKS, ...SEVERAL, ...SCHEMES, ...PRICES, ...TIMES, ...MORE];
