const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const NOBODY = '0'.repeat(32);

/** The trace that a request belongs to (W3C Trace Context); what has another form says nothing. */
export function traceOf(traceparent: string | null): string | undefined {
  if (traceparent === null) return undefined;
  const trace = TRACEPARENT.exec(traceparent)?.[1];
  return trace === NOBODY || traceparent.startsWith('ff') ? undefined : trace;
}
