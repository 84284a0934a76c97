import { describe, expect, it } from 'vitest';
import { aPayment } from '../../../tools/signed-payment.ts';
import { sandboxAccounts } from '../../sandbox/chain/funded-accounts.ts';
import { readSettlement, readVerification } from './read-answers.ts';

const { pauper, seller } = sandboxAccounts();
const payment = await aPayment({ key: pauper.key, to: seller.address, value: 1n });
const PAYER = payment.authorization.from;
const TX = `0x${'aB'.repeat(32)}`;

/** Every code of the specification, of the SDK and of the large facilitators, as far as it can meet us. */
const CODES: readonly (readonly [code: string, verified: string, settled: string])[] = [
  ['insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
  ['invalid_exact_evm_insufficient_balance', 'insufficient_funds', 'insufficient_funds'],
  ['invalid_exact_evm_insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
  ['invalid_exact_evm_signature', 'bad_signature', 'bad_signature'],
  ['invalid_exact_evm_payload_signature', 'bad_signature', 'bad_signature'],
  ['invalid_exact_evm_payload_signature_address', 'bad_signature', 'bad_signature'],
  ['invalid_exact_evm_payload_authorization_typed_data_message', 'bad_signature', 'bad_signature'],
  ['invalid_exact_evm_failed_to_parse_signature', 'bad_signature', 'bad_signature'],
  ['invalid_exact_evm_payload_authorization_valid_before', 'expired', 'expired'],
  ['payment_expired', 'expired', 'expired'],
  ['invalid_exact_evm_payload_authorization_valid_after', 'not_yet_valid', 'not_yet_valid'],
  ['invalid_exact_evm_nonce_already_used', 'already_used', 'already_used'],
  ['nonce_already_used', 'already_used', 'already_used'],
  ['invalid_exact_evm_authorization_value', 'wrong_amount', 'wrong_amount'],
  ['invalid_exact_evm_payload_authorization_value', 'wrong_amount', 'wrong_amount'],
  ['invalid_exact_evm_payload_authorization_value_mismatch', 'wrong_amount', 'wrong_amount'],
  ['invalid_exact_evm_payload_authorization_value_too_low', 'wrong_amount', 'wrong_amount'],
  ['invalid_exact_evm_recipient_mismatch', 'wrong_payee', 'wrong_payee'],
  ['invalid_exact_evm_payload_recipient_mismatch', 'wrong_payee', 'wrong_payee'],
  ['invalid_network', 'wrong_network', 'wrong_network'],
  ['invalid_exact_evm_network_mismatch', 'wrong_network', 'wrong_network'],
  ['invalid_exact_evm_scheme', 'refused', 'refused'],
  ['invalid_payload', 'refused', 'refused'],
  ['eip6492_factory_not_allowed', 'refused', 'refused'],
  ['invalid_exact_evm_transaction_simulation_failed', 'refused', 'refused'],
  ['invalid_exact_evm_payload_authorization_from_address_kyt', 'refused', 'refused'],
  // Given after something may have been sent: no refusal of a settlement.
  ['invalid_exact_evm_transaction_failed', 'refused', 'unknown'],
  ['invalid_exact_evm_transfer_event_mismatch', 'refused', 'unknown'],
  ['invalid_exact_evm_verification_failed', 'refused', 'unknown'],
  ['invalid_transaction_state', 'refused', 'unknown'],
  ['settlement_pending', 'refused', 'unknown'],
  ['smart_wallet_deployment_failed', 'refused', 'unknown'],
  ['duplicate_settlement', 'refused', 'unknown'],
  ['settle_exact_failed_onchain', 'refused', 'unknown'],
  ['settle_exact_node_failure', 'refused', 'unknown'],
  ['settle_exact_evm_transaction_confirmation_timed_out', 'refused', 'unknown'],
  // The facilitator's own trouble says nothing about the payment.
  ['unexpected_verify_error', 'unavailable', 'unknown'],
  ['unexpected_settle_error', 'unavailable', 'unknown'],
  ['unknown_error', 'unavailable', 'unknown'],
  ['internal_error', 'unavailable', 'unknown'],
  // Our own mistake: the wrong node, the wrong token.
  ['invalid_payment_requirements', 'unavailable', 'unknown'],
  ['asset_not_deployed_contract', 'unavailable', 'unknown'],
  ['invalid_exact_evm_eip3009_not_supported', 'unavailable', 'unknown'],
  ['invalid_exact_evm_missing_eip712_domain', 'unavailable', 'unknown'],
  ['invalid_exact_evm_token_name_mismatch', 'unavailable', 'unknown'],
  ['invalid_exact_evm_token_version_mismatch', 'unavailable', 'unknown'],
  // Words that nobody knows, and names that every object has.
  ['fetch failed: http://10.0.0.7:8545', 'refused', 'unknown'],
  ['constructor', 'refused', 'unknown'],
  ['__proto__', 'refused', 'unknown'],
  ['', 'refused', 'unknown'],
];

describe.each(CODES)('the code %s', (code, verified, settled) => {
  it(`is ${verified} in a verification`, () => {
    const outcome = readVerification({ isValid: false, invalidReason: code, payer: PAYER }, payment);
    expect(outcome).toEqual(
      verified === 'unavailable' ? { kind: 'unavailable' } : { kind: 'invalid', reason: verified },
    );
  });

  it(`is ${settled} in a settlement, and never a refusal with a transaction`, () => {
    const answer = { success: false, errorReason: code, transaction: '', network: 'base', payer: PAYER };
    expect(readSettlement(answer, payment)).toEqual(
      settled === 'unknown' ? { kind: 'unknown' } : { kind: 'refused', reason: settled },
    );
    expect(readSettlement({ ...answer, transaction: TX }, payment)).toEqual({ kind: 'unknown' });
  });
});

describe('a verification', () => {
  it.each<[string, unknown, object]>([
    [
      'names the payer',
      { isValid: true, payer: PAYER.toUpperCase().replace('0X', '0x') },
      { kind: 'valid', payer: PAYER },
    ],
    ['names nobody', { isValid: true }, { kind: 'valid', payer: PAYER }],
    ['names somebody else', { isValid: true, payer: seller.address }, { kind: 'unavailable' }],
    ['says yes in another type', { isValid: 'true', payer: PAYER }, { kind: 'unavailable' }],
    ['says no without a reason', { isValid: false }, { kind: 'invalid', reason: 'refused' }],
    ['says no in another type', { isValid: false, invalidReason: 7 }, { kind: 'invalid', reason: 'refused' }],
    ['says nothing', {}, { kind: 'unavailable' }],
    ['is a list', [{ isValid: true }], { kind: 'unavailable' }],
    ['is no JSON', undefined, { kind: 'unavailable' }],
    ['inherits its yes', Object.create({ isValid: true }), { kind: 'unavailable' }],
  ])('that %s', (_, answer, outcome) => {
    expect(readVerification(answer, payment)).toEqual(outcome);
  });
});

describe('a settlement', () => {
  const good = { success: true, transaction: TX, network: 'eip155:8453', payer: PAYER };
  const settled = { kind: 'settled', tx: TX.toLowerCase(), payer: PAYER };

  it.each<[string, unknown, object]>([
    ['names network, payer and transaction', good, settled],
    ['names the network as version 1 does', { ...good, network: 'base' }, settled],
    ['names another network', { ...good, network: 'eip155:84532' }, { kind: 'unknown' }],
    ['names no network', { ...good, network: undefined }, { kind: 'unknown' }],
    ['names another payer', { ...good, payer: seller.address }, { kind: 'unknown' }],
    ['names no payer', { ...good, payer: undefined }, { kind: 'unknown' }],
    ['has no transaction', { ...good, transaction: '' }, { kind: 'unknown' }],
    ['has a short transaction', { ...good, transaction: TX.slice(0, -1) }, { kind: 'unknown' }],
    ['has a transaction of zeros', { ...good, transaction: `0x${'0'.repeat(64)}` }, { kind: 'unknown' }],
    ['has words for a transaction', { ...good, transaction: 'pending' }, { kind: 'unknown' }],
    ['succeeds in another type', { ...good, success: 1 }, { kind: 'unknown' }],
    ['fails without a word', { success: false }, { kind: 'unknown' }],
    [
      'is refused without the field',
      { success: false, errorReason: 'insufficient_funds' },
      { kind: 'refused', reason: 'insufficient_funds' },
    ],
    [
      'is refused with an odd transaction',
      { success: false, errorReason: 'insufficient_funds', transaction: {} },
      { kind: 'unknown' },
    ],
    ['is no JSON', undefined, { kind: 'unknown' }],
    ['is null', null, { kind: 'unknown' }],
  ])('that %s', (_, answer, outcome) => {
    expect(readSettlement(answer, payment)).toEqual(outcome);
  });
});
