import type { ProbeAnswer } from '../../../src/core/verdict/probe-outcome.ts';
import {
  answered,
  base64,
  bodyOnly,
  ENTRY,
  ENTRY_V1,
  header,
  PAYEE,
  THIEF,
} from '../../../tools/samples/challenge.ts';
import { bytes, DAI, SOLANA, SOLANA_PAYEE, USDC_ON_SOLANA } from '../judging.ts';

const RESOURCE = { url: 'https://seller.example/pay' };
const FULL_V1 = { ...ENTRY_V1, resource: RESOURCE.url, description: 'x', mimeType: 'application/json' };

/** One entry in an otherwise complete version 2 header; undefined removes a member. */
export const entry = (changes: object, more: readonly unknown[] = []) =>
  v2([{ ...ENTRY, ...changes }, ...more]);
export const v2 = (accepts: unknown, changes: Partial<ProbeAnswer> = {}) =>
  answered({ headers: [header({ x402Version: 2, resource: RESOURCE, accepts })], ...changes });
export const v1 = (changes: object) =>
  bodyOnly(JSON.stringify({ x402Version: 1, accepts: [{ ...FULL_V1, ...changes }] }));
const inHeader = (text: string) => answered({ headers: [['payment-required', text]] });
const document = (text: string) => inHeader(base64(text));
const DEEP = `{"x":${'['.repeat(40)}${']'.repeat(40)}}`;
const ON_SOLANA = { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE };

/** The smallest answer for each code, and where its fault is. */
type Case = readonly [code: string, answer: ProbeAnswer, source: string, path: string | null];

export const DOCUMENT_CASES: readonly Case[] = [
  ['terms_without_402', v2([ENTRY], { status: 200 }), 'header', null],
  ['terms_without_402', { ...v1({}), status: 403 }, 'body', null],
  ['no_terms', answered(), 'answer', null],
  ['no_terms', bodyOnly('<html>pay</html>'), 'answer', null],
  ['no_terms', bodyOnly('{"error":"payment required"}'), 'answer', null],
  ['no_terms', bodyOnly('{"accepts":[{}],}'), 'answer', null],
  ['header_repeated', answered({ headers: [header({}), header({})] }), 'header', null],
  ['header_empty', { ...v1({}), headers: [['PAYMENT-REQUIRED', ' ']] }, 'header', null],
  ['header_too_long', inHeader('A'.repeat(70_000)), 'header', null],
  ['header_plain_json', inHeader('{"x402Version":2}'), 'header', null],
  ['header_not_base64', inHeader('not base64'), 'header', null],
  ['body_too_large', answered({ body: bytes({ a: 'x'.repeat(262_144) }) }), 'body', null],
  ['body_too_large', { ...v1({}), bodyComplete: false }, 'body', null],
  ['body_too_large', { ...v1({}), headers: [['content-type', 'text/json; charset=gbk']] }, 'body', null],
  ['json_not_object', document('[{}]'), 'header', null],
  ['json_not_object', document('[1,[]]'), 'header', null],
  ['json_invalid', document('{"accepts":[],}'), 'header', null],
  ['json_invalid', bodyOnly("{'accepts':[]}"), 'body', null],
  ['json_too_deep', document(DEEP), 'header', null],
  ['json_too_deep', bodyOnly(DEEP.replace('"x"', '"accepts"')), 'body', null],
  [
    'repeated_member',
    document('{"x402Version":2,"accepts":[{"payTo":"a","payTo":"b"}]}'),
    'header',
    '$..payTo',
  ],
  ['escaped_name', document('{"x402Version":2,"\\u0061ccepts":[]}'), 'header', null],
  ['misspelled_name', document('{"x402Version":2,"Accepts":[]}'), 'header', '$.accepts'],
  ['misspelled_name', bodyOnly('{"x402_version":1,"accepts":[]}'), 'body', '$.x402Version'],
  [
    'version_invalid',
    answered({ headers: [header({ x402Version: '2', accepts: [ENTRY] })] }),
    'header',
    '$.x402Version',
  ],
  ['version_missing', answered({ headers: [header({ accepts: [ENTRY] })] }), 'header', '$.x402Version'],
  ['accepts_missing', v2(undefined), 'header', '$.accepts'],
  ['accepts_missing', v2(null), 'header', '$.accepts'],
  ['accepts_not_list', v2(ENTRY), 'header', '$.accepts'],
  ['accepts_empty', v2([]), 'header', '$.accepts'],
  ['v2_in_body', bodyOnly(JSON.stringify({ x402Version: 2, accepts: [ENTRY] })), 'body', '$.x402Version'],
  [
    'v1_in_header',
    answered({ headers: [header({ x402Version: 1, accepts: [FULL_V1] })] }),
    'header',
    '$.x402Version',
  ],
  [
    'resource_missing',
    answered({ headers: [header({ x402Version: 2, accepts: [ENTRY] })] }),
    'header',
    '$.resource',
  ],
  [
    'header_and_body_differ',
    v2([ENTRY], { body: bytes({ x402Version: 1, accepts: [{ ...FULL_V1, payTo: THIEF }] }) }),
    'body',
    '$.accepts[0].payTo',
  ],
  [
    'header_and_body_differ',
    v2([ENTRY], { body: bytes({ x402Version: 1, accepts: [{ ...FULL_V1, maxAmountRequired: '5' }] }) }),
    'body',
    '$.accepts[0].maxAmountRequired',
  ],
  [
    'header_and_body_differ',
    v2([ENTRY], { body: bytes({ accepts: [THIEF, DAI].map((payTo) => ({ ...FULL_V1, payTo })) }) }),
    'body',
    '$.accepts',
  ],
  ['body_unclear', v2([ENTRY], { body: new TextEncoder().encode('{"accepts"') }), 'body', null],
  ['too_many_entries', v2(Array.from({ length: 65 }, () => ENTRY)), 'header', '$.accepts[64]'],
  [
    'several_payees',
    v2([ENTRY, { ...ENTRY, payTo: THIEF, amount: '20000' }]),
    'header',
    '$.accepts[1].payTo',
  ],
  [
    'several_payees',
    v2([ENTRY, ON_SOLANA, { ...ON_SOLANA, payTo: `${SOLANA_PAYEE}x` }]),
    'header',
    '$.accepts[2].payTo',
  ],
  ['dearer_entry', v2([{ ...ENTRY, amount: '990000' }, ENTRY]), 'header', '$.accepts[0].amount'],
  [
    'dearer_entry',
    v2([{ ...ENTRY, amount: '990000', asset: 'USDC' }, ENTRY]),
    'header',
    '$.accepts[0].amount',
  ],
];

export const ENTRY_CASES: readonly Case[] = [
  ['entry_not_object', v2(['exact']), 'header', '$.accepts[0]'],
  ['entry_not_object', v2([['exact', ENTRY.network], ENTRY]), 'header', '$.accepts[0]'],
  ['transfer_method', entry({ extra: ['permit2', 'USD Coin', '2'] }), 'header', '$.accepts[0].extra'],
  ['entry_ignored', v2([ENTRY, { ...ENTRY, payTo: '' }]), 'header', '$.accepts[1]'],
  ['scheme_missing', entry({ scheme: undefined }), 'header', '$.accepts[0].scheme'],
  ['scheme_not_exact', entry({ scheme: 'upto' }), 'header', '$.accepts[0].scheme'],
  ['network_missing', entry({ network: '' }), 'header', '$.accepts[0].network'],
  ['network_unknown', entry({ network: 'Base Mainnet' }), 'header', '$.accepts[0].network'],
  ['network_unknown', entry({ network: 8_453 }), 'header', '$.accepts[0].network'],
  ['test_network', entry({ network: 'eip155:84532' }), 'header', '$.accepts[0].network'],
  ['test_network', v1({ network: 'solana-devnet' }), 'body', '$.accepts[0].network'],
  ['network_unsupported', entry({ network: 'eip155:56' }), 'header', '$.accepts[0].network'],
  ['v1_network_name', entry({ network: 'base' }), 'header', '$.accepts[0].network'],
  ['v2_network_name', v1({ network: ENTRY.network }), 'body', '$.accepts[0].network'],
  ['asset_missing', entry({ asset: null }), 'header', '$.accepts[0].asset'],
  ['asset_not_usdc', entry({ asset: DAI }), 'header', '$.accepts[0].asset'],
  ['asset_not_usdc', entry({ asset: 'USDC' }), 'header', '$.accepts[0].asset'],
  ['payee_missing', entry({ payTo: undefined }), 'header', '$.accepts[0].payTo'],
  ['payee_missing', entry({ payTo: '' }), 'header', '$.accepts[0].payTo'],
  ['payee_not_address', entry({ payTo: 'seller.eth' }), 'header', '$.accepts[0].payTo'],
  ['payee_not_address', entry({ payTo: SOLANA_PAYEE }), 'header', '$.accepts[0].payTo'],
  ['payee_not_address', entry({ payTo: [PAYEE] }), 'header', '$.accepts[0].payTo'],
  ['payee_nobody', entry({ payTo: `0x${'0'.repeat(40)}` }), 'header', '$.accepts[0].payTo'],
  ['payee_is_token', entry({ payTo: ENTRY.asset }), 'header', '$.accepts[0].payTo'],
  ['misspelled_name', entry({ payTo: undefined, pay_to: PAYEE }), 'header', '$.accepts[0].payTo'],
  ['amount_missing', entry({ amount: undefined }), 'header', '$.accepts[0].amount'],
  ['amount_missing', entry({ amount: '' }), 'header', '$.accepts[0].amount'],
  ['amount_missing', v1({ maxAmountRequired: undefined }), 'body', '$.accepts[0].maxAmountRequired'],
  ['amount_in_dollars', entry({ amount: '0.01' }), 'header', '$.accepts[0].amount'],
  ['amount_in_dollars', entry({ amount: '$1' }), 'header', '$.accepts[0].amount'],
  ['amount_in_dollars', entry({ amount: '0.01 USDC' }), 'header', '$.accepts[0].amount'],
  ['amount_in_dollars', v1({ maxAmountRequired: 0.01 }), 'body', '$.accepts[0].maxAmountRequired'],
  ['amount_negative', entry({ amount: '-10000' }), 'header', '$.accepts[0].amount'],
  ['amount_negative', entry({ amount: -1 }), 'header', '$.accepts[0].amount'],
  ['amount_not_digits', entry({ amount: '0x10' }), 'header', '$.accepts[0].amount'],
  ['amount_not_digits', entry({ amount: ['10000'] }), 'header', '$.accepts[0].amount'],
  ['amount_not_digits', v2([{ ...ENTRY, amount: '010000' }, ENTRY]), 'header', '$.accepts[0].amount'],
  ['amount_zero', entry({ amount: '0' }), 'header', '$.accepts[0].amount'],
  ['amount_too_high', entry({ amount: '10000000000000000' }), 'header', '$.accepts[0].amount'],
  ['amount_too_high', entry({ amount: '9'.repeat(80) }), 'header', '$.accepts[0].amount'],
  ['amounts_differ', entry({ maxAmountRequired: '5' }), 'header', '$.accepts[0].maxAmountRequired'],
  ['amount_number', entry({ amount: 10_000 }), 'header', '$.accepts[0].amount'],
  [
    'v1_amount_name',
    entry({ amount: undefined, maxAmountRequired: '10000' }),
    'header',
    '$.accepts[0].maxAmountRequired',
  ],
  ['v2_amount_name', v1({ maxAmountRequired: undefined, amount: '10000' }), 'body', '$.accepts[0].amount'],
  ['timeout_missing', entry({ maxTimeoutSeconds: undefined }), 'header', '$.accepts[0].maxTimeoutSeconds'],
  ['timeout_invalid', entry({ maxTimeoutSeconds: '60' }), 'header', '$.accepts[0].maxTimeoutSeconds'],
  ['timeout_invalid', entry({ maxTimeoutSeconds: 1.5 }), 'header', '$.accepts[0].maxTimeoutSeconds'],
  ['timeout_too_long', entry({ maxTimeoutSeconds: 86_401 }), 'header', '$.accepts[0].maxTimeoutSeconds'],
  [
    'timeout_too_long',
    v2([{ ...ENTRY, maxTimeoutSeconds: 1e9 }, ENTRY]),
    'header',
    '$.accepts[0].maxTimeoutSeconds',
  ],
  ['terms_expired', entry({ validBefore: 1_700_000_000 }), 'header', '$.accepts[0].validBefore'],
  [
    'terms_expired',
    entry({ extra: { ...ENTRY.extra, validBefore: '2020-01-01T00:00:00Z' } }),
    'header',
    '$.accepts[0].extra.validBefore',
  ],
  [
    'transfer_method',
    entry({ extra: { ...ENTRY.extra, assetTransferMethod: 'permit2' } }),
    'header',
    '$.accepts[0].extra.assetTransferMethod',
  ],
  [
    'transfer_method',
    entry({ extra: { ...ENTRY.extra, primaryType: 'Permit' } }),
    'header',
    '$.accepts[0].extra.primaryType',
  ],
  [
    'transfer_method',
    entry({ extra: { ...ENTRY.extra, verifyingContract: DAI } }),
    'header',
    '$.accepts[0].extra.verifyingContract',
  ],
  [
    'transfer_method',
    entry({ extra: { ...ENTRY.extra, chainId: 1 } }),
    'header',
    '$.accepts[0].extra.chainId',
  ],
  [
    'transfer_method',
    entry({ extra: { ...ENTRY.extra, paymentFlow: 'upfront' } }),
    'header',
    '$.accepts[0].extra.paymentFlow',
  ],
  ['domain_missing', entry({ extra: undefined }), 'header', '$.accepts[0].extra'],
  ['domain_missing', entry({ extra: { name: 'USD Coin' } }), 'header', '$.accepts[0].extra.version'],
  ['domain_wrong', entry({ extra: { name: 'USDC', version: '2' } }), 'header', '$.accepts[0].extra.name'],
  ['fee_payer_missing', v2([ON_SOLANA]), 'header', '$.accepts[0].extra.feePayer'],
  ['conflicting_names', entry({ pay_to: THIEF }), 'header', '$.accepts[0].payTo'],
  ['v1_member_missing', v1({ resource: undefined }), 'body', '$.accepts[0].resource'],
];
