/** An error body of RFC 9457 with a stable code (gap G60). */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

/** `error` repeats the detail for clients that were written before problem bodies. */
export function problemResponse({ status, code, title, detail }: Problem, requestId: string): Response {
  const body = { type: 'about:blank', title, status, detail, instance: requestId, code, error: detail };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store' },
  });
}
