/** An error in one line, for a message that carries the error as its cause. */
export function faultLine(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown error';
  // When all addresses of a host fail, Node's AggregateError has a code and an empty message.
  const words = fault.message === '' && 'code' in fault ? String(fault.code) : fault.message;
  return words.split('\n', 1)[0] ?? '';
}
