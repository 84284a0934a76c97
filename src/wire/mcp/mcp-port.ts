/** A question to the service itself, on behalf of the caller who is being answered: what a tool of /mcp asks. */
export interface Question {
  /** Path and query of a GET. */
  readonly target: string;
  /** As in the headers of a buyer; either may be null. */
  readonly paymentSignature: string | null;
  readonly xPayment: string | null;
}

export interface Told {
  readonly status: number;
  readonly text: string;
  /** The PAYMENT-RESPONSE header. */
  readonly paymentResponse: string | null;
}

export type Ask = (question: Question) => Promise<Told>;

/** One message to /mcp, or a batch of them, as it was parsed. */
export interface McpCall {
  readonly body: unknown;
  /** The public address that the caller used. */
  readonly base: string;
  header(name: string): string | null;
  readonly ask: Ask;
}

export interface McpAnswer {
  readonly status: number;
  /** JSON; null where there is nothing to say. */
  readonly body: string | null;
}

/** The port between the http and mcp layers, which do not import each other. */
export type AnswerMcp = (call: McpCall) => Promise<McpAnswer>;
