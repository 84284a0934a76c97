/** How payment_terms_sha256 is made, in the words of all documents; the rule itself is in src/core/x402/terms.ts. */
export const TERMS_HASH_RULE =
  'SHA-256, in lower-case hexadecimal, of the UTF-8 bytes of network|asset|amount_atomic|pay_to: four values in lower case, joined by "|", without blanks or a line feed. The network is its CAIP-2 name: replace the word of an x402 version 1 challenge (base) by it (eip155:8453) before hashing. The amount is in atomic units, as the challenge writes it.';

export const TERMS_HASH_EXAMPLE = {
  text: 'eip155:8453|0x833589fcd6edb6e08f4c7c32d4f71b54bda02913|10000|0x1111111111111111111111111111111111111111',
  sha256: '0c271d2bc5ce4dfeb20be3246b101fc3708540990b092c74a9a2856ddf13f4e0',
} as const;
