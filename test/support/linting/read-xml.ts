/** One element, as an XML parser sees it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in a document.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;
const TAG = /<(\/?)([a-z][a-z-]*)((?:\s+[a-z-]+="[^"<]*")*)\s*(\/?)>/y;

/** Strict, and only what JUnit needs: throws for whatever is not well-formed. */
export function readXml(document: string): Element {
  if (ILLEGAL.test(document)) throw new Error('a character that XML cannot carry');
  const [declaration = ''] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(document) ?? [];
  if (declaration === '') throw new Error('no declaration');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (let at = declaration.length; at < document.length; ) {
    at = document[at] === '<' ? readTag(document, at, open) : readText(document, at, open);
  }
  const [only, ...others] = root.children;
  if (open.length !== 1 || only === undefined || others.length > 0) throw new Error('not one root');
  return only;
}

function innermost(open: readonly Element[]): Element {
  const element = open.at(-1);
  if (element === undefined) throw new Error('more closed than opened');
  return element;
}

/** Where it ends. */
function readText(document: string, at: number, open: readonly Element[]): number {
  const end = document.indexOf('<', at);
  const text = document.slice(at, end === -1 ? document.length : end);
  if (open.length === 1 && text.trim() !== '') throw new Error('text outside of the root');
  innermost(open).text += unescaped(text);
  return at + text.length;
}

function readTag(document: string, at: number, open: Element[]): number {
  TAG.lastIndex = at;
  const tag = TAG.exec(document);
  if (tag === null) throw new Error(`no tag at ${at}`);
  const [whole, closing, name = '', attributes = '', empty] = tag;
  if (closing === '/') {
    if (open.pop()?.name !== name) throw new Error(`${name} is closed and was not open`);
  } else {
    const element: Element = { name, attributes: attributesOf(attributes), children: [], text: '' };
    innermost(open).children.push(element);
    if (empty !== '/') open.push(element);
  }
  return at + whole.length;
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
    key,
    unescaped(value),
  ]);
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error('an attribute twice');
  return Object.fromEntries(pairs);
}

function unescaped(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text) || text.includes(']]>')) throw new Error('not escaped');
  return text.replace(/&([a-z]+);/g, (_, name: string) => ENTITIES[name] ?? '');
}
