/** Not empty, no Unicode space, no plus, no control character, and encodable in UTF-8. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}\p{Surrogate}+]/u.test(name) && !hasControl(name);
}

/** Ends with a newline, is encodable in UTF-8, and has no other ASCII control character. */
export function isNoteText(text: string): boolean {
  return text.endsWith('\n') && !/\p{Surrogate}/u.test(text) && !hasControl(text.replaceAll('\n', ''));
}

/** Control characters below U+0020. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x20) return true;
  return false;
}
