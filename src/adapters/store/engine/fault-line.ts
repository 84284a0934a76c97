/** What went wrong in one line, for a message; the error itself goes along as its cause. */
export function faultLine(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown error';
  // Several addresses of one host fail together with an empty message and a code.
  const words = fault.message === '' && 'code' in fault ? String(fault.code) : fault.message;
  return words.split('\n', 1)[0] ?? '';
}
