import * as z from 'zod';

/** Every error code with its status and title. Codes are stable; details are for people. */
export const PROBLEMS = {
  bad_request: { status: 400, title: 'Bad request' },
  ssrf_blocked: { status: 400, title: 'URL is blocked' },
  not_proven: { status: 403, title: 'Control of the host is not proven' },
  not_found: { status: 404, title: 'Not found' },
  no_receipt: { status: 404, title: 'No receipt' },
  not_logged_yet: { status: 404, title: 'Not in the log yet' },
  withdrawn: { status: 410, title: 'Withdrawn' },
  retired: { status: 410, title: 'Archived' },
  no_statement: { status: 404, title: 'No statement' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  payment_reused: { status: 409, title: 'Payment was used for another request' },
  payment_delivered: { status: 409, title: 'Answer was already delivered' },
  statement_used: { status: 409, title: 'Statement was used before' },
  watch_limit: { status: 409, title: 'Too many watches' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  dry_run_limit: { status: 429, title: 'Too many dry runs' },
  target_busy: { status: 429, title: 'Too many probes' },
  quote_limit: { status: 429, title: 'Too many unpaid quotes' },
  paid_limit: { status: 429, title: 'Too many paid checks' },
  read_limit: { status: 429, title: 'Too many requests in a minute' },
  address_busy: { status: 429, title: 'Too many requests of this address at once' },
  payment_busy: { status: 429, title: 'Too many copies of one payment' },
  verification_limit: { status: 429, title: 'Too many payments that cannot be verified' },
  replay_limit: { status: 429, title: 'Too many repeats of a payment' },
  retest_limit: { status: 429, title: 'Too many re-tests' },
  seller_limit: { status: 429, title: 'Too many signed requests' },
  headers_too_large: { status: 431, title: 'Header fields too large' },
  internal_error: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Too many requests at once' },
  store_unavailable: { status: 503, title: 'Store unavailable' },
  facilitator_unavailable: { status: 503, title: 'Facilitator unavailable' },
  settlement_pending: { status: 503, title: 'Settlement pending' },
  not_ready: { status: 503, title: 'Not ready' },
  payments_unavailable: { status: 503, title: 'Payments not configured' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problemCode = z.enum(Object.keys(PROBLEMS)).describe(`Stable; for programs. ${explained()}`);

/** An error body of RFC 9457 (gap G60). `error` repeats the detail for older clients. */
export const problemShape = z.object({
  type: z.string().describe('URL that explains the code.'),
  title: z.string().describe('The code in words.'),
  status: z.int().describe('HTTP status.'),
  detail: z.string().describe('What is wrong and what to do, for people.'),
  instance: z.string().describe('Request id.'),
  code: problemCode,
  field: z.string().optional().describe('The parameter at fault; absent if none.'),
  error: z.string().describe('The same as detail, for older clients.'),
});

function explained(): string {
  return `${Object.entries(PROBLEMS)
    .map(([code, { status, title }]) => `${code}: ${title} (${status})`)
    .join('; ')}.`;
}

export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
  /** Members beyond the problem itself, such as the verdict of a blocked URL. */
  readonly members?: Readonly<Record<string, unknown>>;
}

export function problemJson(
  { code, detail, field, members = {} }: Problem,
  { instance, base }: { readonly instance: string; readonly base: string },
): z.infer<typeof problemShape> {
  const { status, title } = PROBLEMS[code];
  return {
    type: `${base}/problems#${code}`,
    title,
    status,
    detail,
    instance,
    code,
    ...(field === undefined ? {} : { field }),
    error: detail,
    ...members,
  };
}
