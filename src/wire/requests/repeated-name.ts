/** A string, with the colon that makes it a name, or where an object begins or ends. Linear, whatever the text. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[{}]/g;

/**
 * A name that one object of a valid JSON text has twice; null when there is none. JSON.parse keeps the last value and other
 * parsers keep the first, so a policy in front of us could allow another request than the one we act on. With `members`, only
 * these members of the text are looked at, and what is inside them: the others are ignored, whatever they are (gap G30).
 */
export function repeatedName(json: string, members: ReadonlySet<string> | null = null): string | null {
  const open: Set<string>[] = [];
  let isRead = true;
  for (const [token, quoted, colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (quoted !== undefined && colon !== undefined) {
      const name = String(JSON.parse(quoted));
      if (open.length === 1) isRead = members?.has(name) ?? true;
      const names = open.at(-1);
      if (isRead && names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return null;
}
