/** The promises of the service, in the words of all documents. */
export const PROMISES = [
  'Payment buys query access only. It never changes a result, a sort order, a listing or a check.',
  'Assay never pays a target and never forwards a payment.',
  'Assay gives no investment advice.',
  'Assay holds no customer funds.',
] as const;

export const TAGLINE =
  'Ask before you pay: Assay sends one unpaid request to an x402 endpoint, reads its live HTTP 402 and answers pay, skip or recheck.';
