import { LIST_LINE_MAX_BYTES } from '../../core/crawl/list-limits.ts';
import { boundedText, type PageSplitter } from './split-page.ts';

const LINE_FEED = 0x0a;

/** Every line is an entry; its reader drops those without meaning. */
export function splitLines(): PageSplitter {
  const line = boundedText(LIST_LINE_MAX_BYTES);
  return {
    push(piece) {
      const done: (string | null)[] = [];
      let from = 0;
      for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, from)) {
        line.add(piece, from, at);
        done.push(line.take());
        from = at + 1;
      }
      line.add(piece, from, piece.length);
      return done;
    },
    end: () => ({ rest: [line.take()], isWhole: true, hasEntries: true, envelope: null }),
  };
}
