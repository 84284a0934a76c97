import type { PaymentRefusal } from '../../core/x402/payment-refusal.ts';

/** Refusal codes of the x402 specification, its SDKs and the large facilitators. */
const REFUSALS: readonly (readonly [PaymentRefusal, readonly string[]])[] = [
  [
    'insufficient_funds',
    [
      'insufficient_funds',
      'invalid_exact_evm_insufficient_balance',
      'invalid_exact_evm_insufficient_funds',
      'invalid_exact_evm_payload_insufficient_balance',
    ],
  ],
  [
    'bad_signature',
    [
      'invalid_exact_evm_signature',
      'invalid_exact_evm_payload_signature',
      'invalid_exact_evm_payload_signature_address',
      'invalid_exact_evm_payload_authorization_typed_data_message',
      'invalid_exact_evm_failed_to_parse_signature',
    ],
  ],
  ['expired', ['invalid_exact_evm_payload_authorization_valid_before', 'payment_expired']],
  ['not_yet_valid', ['invalid_exact_evm_payload_authorization_valid_after']],
  [
    'already_used',
    ['invalid_exact_evm_nonce_already_used', 'nonce_already_used', 'invalid_exact_evm_nonce_used'],
  ],
  [
    'wrong_amount',
    [
      'invalid_exact_evm_authorization_value',
      'invalid_exact_evm_payload_authorization_value',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'invalid_exact_evm_payload_authorization_value_too_low',
    ],
  ],
  ['wrong_payee', ['invalid_exact_evm_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch']],
  ['wrong_network', ['invalid_network', 'invalid_exact_evm_network_mismatch']],
  [
    'refused',
    [
      'invalid_scheme',
      'unsupported_scheme',
      'invalid_exact_evm_scheme',
      'invalid_x402_version',
      'invalid_payload',
      'invalid_payment',
      'unsupported_payload_type',
      'eip6492_factory_not_allowed',
      'invalid_exact_evm_transaction_simulation_failed',
      'invalid_exact_evm_payload_undeployed_smart_wallet',
      'invalid_exact_evm_payload_authorization_from_address_kyt',
      'invalid_exact_evm_payload_authorization_to_address_kyt',
    ],
  ],
];

const BY_CODE: ReadonlyMap<unknown, PaymentRefusal> = new Map(
  REFUSALS.flatMap(([refusal, codes]) => codes.map((code) => [code, refusal])),
);

/** Faults of the facilitator, or of our node or token: the buyer cannot fix them. */
const TROUBLE: ReadonlySet<unknown> = new Set([
  'unexpected_verify_error',
  'unexpected_settle_error',
  'unexpected_error',
  'unknown_error',
  'internal_error',
  'invalid_exact_evm_failed_to_check_deployment',
  'invalid_exact_evm_failed_to_get_network_config',
  'invalid_payment_requirements',
  'asset_not_deployed_contract',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
]);

/** Null for an unknown code, and for one that may come after something was sent. */
export function refusalOf(code: unknown): PaymentRefusal | null {
  return BY_CODE.get(code) ?? null;
}

export function isTrouble(code: unknown): boolean {
  return TROUBLE.has(code);
}
