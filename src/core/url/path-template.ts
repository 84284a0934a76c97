/**
 * A listed URL with placeholders cannot be called (gap G72). A colon counts only at the start of a segment and before a
 * letter: '/v1/x:run' is an ordinary custom method. The URL parser encodes braces and angle brackets.
 */
export function isPathTemplate(path: string): boolean {
  if (!MARK.test(path)) return false;
  return path.split('/').some((segment) => isPlaceholder(decodeMarks(segment).toLowerCase()));
}

/** Every placeholder contains one of these, plain or encoded. */
const MARK = /[:{<%]/;

function isPlaceholder(segment: string): boolean {
  return /^:[a-z]/.test(segment) || encloses(segment, '{', '}') || encloses(segment, '<', '>');
}

function encloses(segment: string, open: string, close: string): boolean {
  const opening = segment.indexOf(open);
  return opening !== -1 && segment.lastIndexOf(close) > opening;
}

/** The marks of placeholders as they were written, before the URL parser encoded them. */
export function decodeMarks(segment: string): string {
  return segment.replaceAll(ENCODED_MARK, decodeURIComponent);
}

const ENCODED_MARK = /%(?:3a|7b|7d|3c|3e)/gi;
