/** A request to one of our own routes on behalf of the caller of an MCP tool. */
export interface Question {
  /** Path and query of a GET. */
  readonly target: string;
  /** As in the headers of a buyer; either may be null. */
  readonly paymentSignature: string | null;
  readonly xPayment: string | null;
}

export interface ToolAnswer {
  readonly status: number;
  readonly text: string;
  /** The PAYMENT-RESPONSE header. */
  readonly paymentResponse: string | null;
  /** The Retry-After header. */
  readonly retryAfterSeconds: number | null;
}

export type Ask = (question: Question) => Promise<ToolAnswer>;

/** A parsed message, or a batch, sent to /mcp. */
export interface McpCall {
  readonly body: unknown;
  /** The public address that the caller used. */
  readonly base: string;
  header(name: string): string | null;
  readonly ask: Ask;
}

export interface McpAnswer {
  readonly status: number;
  /** JSON; null without a body. */
  readonly body: string | null;
}

/** The port between the http and mcp layers, which do not import each other. */
export type AnswerMcp = (call: McpCall) => Promise<McpAnswer>;
