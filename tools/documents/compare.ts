/** What differs from run to run, by its shape. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b(sc|pur|evt)[-_][0-9a-f]{8,32}\b/g, '$1-ID'],
  [/\bed25519:[\w-]{43}/g, 'KEY'],
  [/\b0x[0-9a-f]{64}\b/g, '0xTRANSACTION'],
  [/\b[0-9a-f]{64}\b/g, 'SHA256'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?/g, 'TIME'],
  [/\b\d\d-\d\d \d\d:\d\d\b/g, 'TIME'],
  [/\b\d+ (s|min|h)( ago)?\b/g, 'AGE$2'],
  [/\b\d+(\.\d+)? ?ms\b/g, 'DURATION'],
];

/** `…` stands for anything within a line, and alone in a line for any number of lines. */
const ANYTHING = '…';

/** The first line of the document that the output does not have, or null: they agree in all that does not change. */
export function firstDifference(printed: string, output: string): string | null {
  const expected = linesOf(printed);
  const actual = linesOf(output);
  let at = 0;
  for (const [nth, line] of expected.entries()) {
    if (line.trim() === ANYTHING) {
      const next = expected[nth + 1];
      if (next === undefined) return null;
      while (at < actual.length && !isLike(next, actual[at] ?? '')) at += 1;
    } else if (isLike(line, actual[at] ?? '')) {
      at += 1;
    } else {
      return `printed: ${line}\nis:      ${actual[at] ?? '(nothing)'}`;
    }
  }
  return at === actual.length ? null : `not printed: ${actual[at]}`;
}

function linesOf(text: string): readonly string[] {
  return comparable(text)
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => line.trimEnd());
}

function comparable(text: string): string {
  return CHANGING.reduce((all, [shape, name]) => all.replace(shape, name), text);
}

function isLike(printed: string, actual: string): boolean {
  // The width of a column follows what is in it.
  const words = (line: string) => line.trim().replace(/ {2,}/g, ' ');
  const parts = words(printed)
    .split(ANYTHING)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(words(actual));
}
