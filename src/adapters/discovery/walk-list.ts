import type { DiscoveryList, JsonList } from '../../core/crawl/list-settings.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import { readMarkdownLine } from '../../core/crawl/markdown-listing.ts';
import { type EntryReading, readEntry } from '../../core/crawl/read-listing.ts';
import type { EntryReader, Found } from './read-attempt.ts';
import type { Patience } from './read-page.ts';
import type { Walk } from './read-pages.ts';
import { splitJson } from './split-json.ts';
import { splitLines } from './split-lines.ts';

export type EndpointWalk = Walk<ListedEndpoint>;

/** Reads one address of a JSON list; with `via` there are many. */
export function walkJson(url: string, { rows, paging, shape }: JsonList, patience: Patience): EndpointWalk {
  const { origin, pathname } = new URL(url);
  // A manifest may omit its own host; in a directory a path without a host has no meaning.
  const home = pathname.startsWith('/.well-known/') ? origin : null;
  return {
    url,
    paging,
    patience,
    split: () => splitJson(rows),
    read: (text) => (text === null ? TOO_LARGE : found(readEntry(text, shape, home), text)),
    needsEntries: true,
  };
}

type MarkdownList = Extract<DiscoveryList, { format: 'markdown' }>;

export function walkMarkdown({ url, name }: MarkdownList, patience: Patience): EndpointWalk {
  const read: EntryReader<ListedEndpoint> = (text) => {
    if (text === null) return TOO_LARGE;
    const reading = readMarkdownLine(text, name);
    return reading === null ? null : found(reading, text);
  };
  return { url, paging: { by: 'none' }, patience, split: splitLines, read, needsEntries: true };
}

const TOO_LARGE: Found<ListedEndpoint> = { found: [], faults: ['too_large'], mark: '' };

function found({ endpoints, faults }: EntryReading, text: string): Found<ListedEndpoint> {
  const urls = endpoints.map(({ method, target }) => `${method} ${target.normalized}`).join(' ');
  return { found: endpoints, faults, mark: urls === '' ? text : urls };
}
