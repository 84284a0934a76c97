/**
 * Statements that PostgreSQL plans once for each connection, under a name. For a hot and winding one planning is more than half
 * of the work. Only where the text is constant and names its columns: a plan whose columns change is refused by the server.
 */
const names = new Map<string, string>();

export function prepared(name: string, text: string): string {
  names.set(text, name);
  return text;
}

export function preparedName(text: string): string | undefined {
  return names.get(text);
}
