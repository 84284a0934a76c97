/**
 * A listed URL with placeholders cannot be called (gap G72). A colon counts only at the start of a segment and before a
 * letter: '/v1/x:run' is an ordinary custom method. The URL parser encodes braces and angle brackets.
 */
export function isPathTemplate(path: string): boolean {
  if (!MARK.test(path)) return false;
  return path.split('/').some((segment) => isPlaceholder(decodeMarks(segment.toLowerCase())));
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

function decodeMarks(segment: string): string {
  return segment
    .replaceAll('%3a', ':')
    .replaceAll('%7b', '{')
    .replaceAll('%7d', '}')
    .replaceAll('%3c', '<')
    .replaceAll('%3e', '>');
}
