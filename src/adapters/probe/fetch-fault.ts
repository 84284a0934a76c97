const WORDS = {
  bad_request: 'this is no request that can be sent',
  blocked: 'only the public web may be reached',
  unreachable: 'no connection',
  tls_failed: 'no secure connection',
  timed_out: 'no whole answer in time',
  cancelled: 'called off',
  redirected: 'the answer leads elsewhere',
  too_large: 'the answer is too large',
  undecodable: 'the answer cannot be decoded within its limit',
  broken: 'the answer is broken',
} as const;

/** Why there is no answer, in our own words: a library's would name addresses and ports. */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
  readonly kind: keyof typeof WORDS;
  /** False when not a byte of the request has left: then it cannot have been acted upon, nor a payment in it taken. */
  readonly sent: boolean;

  constructor(kind: keyof typeof WORDS, sent: boolean) {
    super(WORDS[kind]);
    this.kind = kind;
    this.sent = sent;
  }
}
