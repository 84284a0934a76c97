import type { ProbeAnswer } from '../../src/core/verdict/probe-outcome.ts';
import { answered, ENTRY, ENTRY_V1, PAYEE, POLYGON, paywall, THIEF } from '../../tools/samples/challenge.ts';
import { bytes, DAI, SOLANA, SOLANA_PAYEE, USDC_ON_SOLANA } from './judging.ts';

const DEAR = { ...ENTRY, amount: '990000' };
const TO_THIEF = { ...DEAR, payTo: THIEF };
const bodyOf = (accepts: readonly unknown[]) =>
  answered({ body: bytes({ x402Version: 1, error: 'pay', accepts: accepts.map(full) }) });
const full = (entry: unknown) => ({
  resource: 'https://seller.example/pay',
  description: '',
  mimeType: 'application/json',
  ...(entry as object),
});
const DEAR_V1 = { ...ENTRY_V1, maxAmountRequired: '990000' };
const BY_PERMIT = { ...ENTRY, extra: { ...ENTRY.extra, assetTransferMethod: 'permit2' } };
const TEN_YEARS = 315_360_000;

/** What a client would turn into another payment than the seller's cent. */
export const HOSTILE: readonly (readonly [string, ProbeAnswer])[] = [
  ['a thief before the seller', paywall([TO_THIEF, ENTRY])],
  ['a thief behind the seller', paywall([ENTRY, TO_THIEF])],
  ['a thief at the price of the seller', paywall([{ ...ENTRY, payTo: THIEF }, ENTRY])],
  ['the seller itself, dearer', paywall([DEAR, ENTRY])],
  ['dearer on another network', paywall([{ ...POLYGON, amount: '990000' }, ENTRY])],
  ['a thief on a network that we do not support', paywall([{ ...TO_THIEF, network: 'eip155:56' }, ENTRY])],
  ['a thief on a testnet', paywall([{ ...TO_THIEF, network: 'eip155:84532' }, ENTRY])],
  ['a thief in another token', paywall([{ ...TO_THIEF, asset: DAI }, ENTRY])],
  ['an amount that we cannot read', paywall([{ ...ENTRY, amount: '0990000' }, ENTRY])],
  ['an amount that we cannot read, to a thief', paywall([{ ...TO_THIEF, amount: '0990000' }, ENTRY])],
  ['an amount in exponent form', paywall([{ ...ENTRY, amount: '99e4' }, ENTRY])],
  ['a thief in a body of version 1', bodyOf([{ ...DEAR_V1, payTo: THIEF }, ENTRY_V1])],
  ['a dearer entry in a body of version 1', bodyOf([DEAR_V1, ENTRY_V1])],
  ['a thief in entry 65', paywall([...Array.from({ length: 64 }, () => ENTRY), TO_THIEF])],
  ['65 entries of one seller', paywall(Array.from({ length: 65 }, () => ENTRY))],
  [
    'a thief in the body beside a clean header',
    paywall([ENTRY], {
      body: bytes({ x402Version: 1, accepts: [{ ...DEAR_V1, payTo: THIEF }, ENTRY_V1].map(full) }),
    }),
  ],
  [
    'a dearer entry in the body beside a clean header',
    paywall([ENTRY], { body: bytes({ x402Version: 1, accepts: [DEAR_V1, ENTRY_V1].map(full) }) }),
  ],
  [
    'another contract in the body beside a clean header',
    paywall([ENTRY], {
      body: bytes({ x402Version: 1, accepts: [full({ ...ENTRY_V1, extra: { verifyingContract: DAI } })] }),
    }),
  ],
  [
    'a permit in the body beside a clean header',
    paywall([ENTRY], {
      body: bytes({
        x402Version: 1,
        accepts: [full({ ...ENTRY_V1, extra: { assetTransferMethod: 'permit2' } }), full(ENTRY_V1)],
      }),
    }),
  ],
  [
    'a permit instead of a transfer',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, assetTransferMethod: 'permit2' } }]),
  ],
  [
    'a permit before a transfer',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, assetTransferMethod: 'permit2' } }, ENTRY]),
  ],
  [
    'a signature for another contract',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, verifyingContract: DAI } }]),
  ],
  ['a signature for another chain', paywall([{ ...ENTRY, extra: { ...ENTRY.extra, chainId: 1 } }])],
  ['payment up front', paywall([{ ...ENTRY, extra: { ...ENTRY.extra, paymentFlow: 'upfront' } }])],
  ['a signature for ten years', paywall([{ ...ENTRY, maxTimeoutSeconds: TEN_YEARS }])],
  [
    'a signature for ten years before one for a minute',
    paywall([{ ...ENTRY, maxTimeoutSeconds: TEN_YEARS }, ENTRY]),
  ],
  ['a time limit as text, which clients append', paywall([{ ...ENTRY, maxTimeoutSeconds: '60' }])],
  ['a time limit as text before one as a number', paywall([{ ...ENTRY, maxTimeoutSeconds: '60' }, ENTRY])],
  ['a thief whose scheme has a capital', paywall([{ ...TO_THIEF, scheme: 'Exact' }, ENTRY])],
  [
    'a thief whose scheme is all capitals, in version 1',
    bodyOf([{ ...DEAR_V1, payTo: THIEF, scheme: 'EXACT' }, ENTRY_V1]),
  ],
  ['dearer, on Base in capitals', paywall([{ ...DEAR, network: 'EIP155:8453' }, ENTRY])],
  ['dearer, on Base with a zero before its number', paywall([{ ...DEAR, network: 'eip155:08453' }, ENTRY])],
  ['dearer, on Base by its bare number', bodyOf([{ ...DEAR_V1, network: '8453' }, ENTRY_V1])],
  ['dearer, on Base by a number that is no text', bodyOf([{ ...DEAR_V1, network: 8_453 }, ENTRY_V1])],
  [
    'dearer, in USDC with a capital X, signed for its contract',
    paywall([
      {
        ...DEAR,
        asset: ENTRY.asset.replace('0x', '0X'),
        extra: { ...ENTRY.extra, verifyingContract: ENTRY.asset },
      },
      ENTRY,
    ]),
  ],
  [
    'dearer, in another token, signed for the contract of USDC',
    paywall([{ ...DEAR, asset: DAI, extra: { ...ENTRY.extra, verifyingContract: ENTRY.asset } }, ENTRY]),
  ],
  // The clients for Go, Python and Rust take addresses without 0x.
  [
    'a thief without 0x, on Base with a zero before its number',
    paywall([{ ...TO_THIEF, network: 'eip155:08453', payTo: THIEF.slice(2) }, ENTRY]),
  ],
  [
    'dearer, in USDC without 0x, on Base with a zero before its number',
    paywall([{ ...DEAR, network: 'eip155:08453', asset: ENTRY.asset.slice(2) }, ENTRY]),
  ],
  // The client of the SDK for Go takes the USDC of the network where the asset is no address.
  ['dearer, in a token by its name', paywall([{ ...DEAR, asset: 'USDC' }, ENTRY])],
  ['dearer, in no token', paywall([{ ...DEAR, asset: undefined }, ENTRY])],
  ['dearer, in a token by a long name', paywall([{ ...DEAR, asset: 'x'.repeat(200) }, ENTRY])],
  [
    'dearer on Solana, in a token by its name',
    paywall([{ ...DEAR, network: SOLANA, asset: 'USDC', payTo: SOLANA_PAYEE }, ENTRY]),
  ],
  [
    'a standing permit under the name of a transfer',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, primaryType: 'Permit' } }]),
  ],
  [
    'a standing permit before a transfer',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, primaryType: 'Permit' } }, ENTRY]),
  ],
  [
    'another contract behind a name of Base that some clients do not know',
    paywall([
      { ...ENTRY, network: 'base' },
      { ...ENTRY, extra: { ...ENTRY.extra, verifyingContract: DAI } },
    ]),
  ],
  [
    'a permit behind a name of Base that some clients do not know',
    paywall([{ ...ENTRY, network: 'base' }, BY_PERMIT]),
  ],
  [
    'a permit behind a scheme in another letter case',
    paywall([{ ...ENTRY, scheme: 'Exact' }, BY_PERMIT, ENTRY]),
  ],
  ['a time limit as text in version 1', bodyOf([{ ...ENTRY_V1, maxTimeoutSeconds: '60' }])],
  ['a signature for ten years in version 1', bodyOf([{ ...ENTRY_V1, maxTimeoutSeconds: TEN_YEARS }])],
];

/** What honest sellers send, in the shapes of real ones. */
export const HONEST: readonly (readonly [string, ProbeAnswer])[] = [
  ['one entry', paywall([ENTRY])],
  ['the same price on two networks', paywall([ENTRY, POLYGON])],
  [
    'EVM and Solana',
    paywall([ENTRY, { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE }]),
  ],
  [
    'another token to the same payee',
    paywall([ENTRY, { ...ENTRY, asset: DAI, amount: '10000000000000000' }]),
  ],
  [
    'another token by permit to the same payee',
    paywall([ENTRY, { ...ENTRY, asset: DAI, amount: '1', extra: { assetTransferMethod: 'permit2' } }]),
  ],
  ['the same price in a token by its name', paywall([{ ...ENTRY, asset: 'USDC' }, ENTRY])],
  [
    'a token by its name on a network that we do not support',
    paywall([ENTRY, { ...DEAR, network: 'eip155:56', asset: 'USDT' }]),
  ],
  [
    'SOL beside USDC',
    paywall([{ ...DEAR, network: SOLANA, asset: '1'.repeat(32), payTo: SOLANA_PAYEE }, ENTRY]),
  ],
  ['a testnet beside the mainnet', paywall([ENTRY, { ...ENTRY, network: 'eip155:84532', asset: DAI }])],
  [
    'the contract and the chain of the asset',
    paywall([
      { ...ENTRY, extra: { ...ENTRY.extra, verifyingContract: ENTRY.asset.toLowerCase(), chainId: 8_453 } },
    ]),
  ],
  [
    'the transfer method by its name',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, assetTransferMethod: 'eip3009' } }]),
  ],
  [
    'the type of the signature by its name',
    paywall([{ ...ENTRY, extra: { ...ENTRY.extra, primaryType: 'TransferWithAuthorization' } }]),
  ],
  ['the same payment with a capital in its scheme', paywall([ENTRY, { ...ENTRY, scheme: 'Exact' }])],
  ['header and body alike', paywall([ENTRY], { body: bytes({ x402Version: 1, accepts: [full(ENTRY_V1)] }) })],
  [
    'a body for older clients that names fewer networks',
    paywall([POLYGON, ENTRY], { body: bytes({ x402Version: 1, accepts: [full(ENTRY_V1)] }) }),
  ],
  ['a payee without 0x', paywall([ENTRY, { ...POLYGON, payTo: PAYEE.slice(2) }])],
  ['a payee in other letters', paywall([ENTRY, { ...POLYGON, payTo: PAYEE.toLowerCase() }])],
  [
    'entries that nobody can sign',
    paywall([ENTRY, { ...TO_THIEF, payTo: '' }, { ...TO_THIEF, scheme: 'upto' }]),
  ],
  ['a payee on a chain without EVM', paywall([ENTRY, { ...DEAR, network: 'stellar:pubnet', payTo: 'GABC' }])],
  [
    'the same by permit, behind it, in header and body',
    paywall([ENTRY, BY_PERMIT], {
      body: bytes({
        x402Version: 1,
        accepts: [full(ENTRY_V1), full({ ...ENTRY_V1, extra: { assetTransferMethod: 'permit2' } })],
      }),
    }),
  ],
  [
    'the same by permit, behind it, and on Solana',
    paywall([ENTRY, BY_PERMIT, { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE }]),
  ],
  [
    'another scheme with other spellings of its members',
    paywall([
      {
        ...ENTRY,
        currency: ENTRY.asset,
        recipient: PAYEE,
        extra: { ...ENTRY.extra, credentialTypes: ['authorization'] },
      },
      { ...ENTRY, scheme: 'batch-settlement', extra: { receiverAuthorizer: THIEF, withdrawDelay: 86_400 } },
    ]),
  ],
  [
    'four networks, with members of the seller in extra',
    paywall([
      { ...ENTRY, extra: { ...ENTRY.extra, merchant: 'x', tier: 'standard' } },
      POLYGON,
      { ...ENTRY, network: 'eip155:42161', asset: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
      {
        ...ENTRY,
        network: SOLANA,
        asset: USDC_ON_SOLANA,
        payTo: SOLANA_PAYEE,
        extra: { feePayer: SOLANA_PAYEE, merchant: 'x' },
      },
    ]),
  ],
  [
    'a body for people',
    paywall([ENTRY], { body: bytes({ error: 'payment_required', price: '$0.01', x402Version: 2 }) }),
  ],
  ['an empty body', paywall([ENTRY], { body: bytes({}) })],
  ['an hour, as some sellers give', paywall([{ ...ENTRY, maxTimeoutSeconds: 3_600 }])],
  ['a whole day', paywall([{ ...ENTRY, maxTimeoutSeconds: 86_400 }])],
];
