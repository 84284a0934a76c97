/** What the service promises, in the words that every document for agents and people repeats. */
export const PROMISES = [
  'Payment buys query access only. It never changes a result, a sort order, a listing or a check.',
  'Assay never pays a target and never forwards a payment.',
  'Assay gives no investment advice.',
  'Assay holds no customer funds.',
] as const;

export const TAGLINE =
  'Ask before you pay: Assay looks once, unpaid, at the live HTTP 402 of an x402 endpoint and answers pay, skip or recheck.';
