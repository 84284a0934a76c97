/** The part of Markdown that the guide is written in. */
export type Block =
  | { readonly kind: 'chapter' | 'section' | 'paragraph' | 'note'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly header: readonly string[]; readonly rows: readonly string[][] }
  | { readonly kind: 'code'; readonly name: string; readonly lines: readonly string[] };

export interface ListItem {
  /** What stands in front: a number with its full stop, a bullet or an empty box. */
  readonly marker: string;
  readonly text: string;
}

export interface Guide {
  readonly title: string;
  readonly subtitle: string;
  readonly blocks: readonly Block[];
}

export function parseGuide(markdown: string): Guide {
  const [title = '', subtitle = '', ...rest] = chunksOf(markdown);
  if (!title.startsWith('# ')) throw new Error('the guide starts with its title');
  return { title: title.slice(2), subtitle, blocks: rest.map(parseChunk) };
}

/** Parts between empty lines; inside of a code fence an empty line does not count. */
function chunksOf(markdown: string): string[] {
  const chunks: string[][] = [[]];
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    if (line === '' && !fenced) chunks.push([]);
    else chunks.at(-1)?.push(line);
  }
  return chunks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
}

function parseChunk(chunk: string): Block {
  const lines = chunk.split('\n');
  if (chunk.startsWith('### ')) return { kind: 'section', text: chunk.slice(4) };
  if (chunk.startsWith('## ')) return { kind: 'chapter', text: chunk.slice(3) };
  if (chunk.startsWith('```')) return parseCode(lines);
  if (chunk.startsWith('|')) return parseTable(lines);
  if (chunk.startsWith('> ')) return { kind: 'note', text: joined(lines.map((line) => line.slice(2))) };
  if (MARKER.test(chunk)) return { kind: 'list', items: parseItems(lines) };
  return { kind: 'paragraph', text: joined(lines) };
}

const MARKER = /^(- \[ \]|-|\d+\.) /;

function parseItems(lines: readonly string[]): ListItem[] {
  const items: ListItem[] = [];
  for (const line of lines) {
    const marker = MARKER.exec(line)?.[1];
    const last = items.pop();
    if (marker === undefined) {
      if (last === undefined) throw new Error(`a list starts with a marker: ${line}`);
      items.push({ marker: last.marker, text: joined([last.text, line]) });
    } else {
      if (last !== undefined) items.push(last);
      items.push({ marker, text: line.slice(marker.length + 1) });
    }
  }
  return items;
}

function parseTable(lines: readonly string[]): Block {
  const [header = [], rule = [], ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  if (!rule.every((cell) => cell === '---')) throw new Error(`a table without its rule: ${lines[0]}`);
  if (rows.some((row) => row.length !== header.length)) throw new Error(`an uneven table: ${lines[0]}`);
  return { kind: 'table', header, rows };
}

function parseCode(lines: readonly string[]): Block {
  const [, name] = (lines[0] ?? '').split(' ');
  if (name === undefined || lines.at(-1) !== '```') throw new Error(`a code fence: ${lines[0]}`);
  return { kind: 'code', name, lines: lines.slice(1, -1) };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ');
}
