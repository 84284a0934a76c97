import { createHash } from 'node:crypto';

/** The hash of a list that consists of many documents: over one line for each, as sha256sum writes it. */
export interface DocumentSum {
  add(url: string, sha256: string | null): void;
  /** Null when a document was cut. */
  end(): string | null;
}

export function documentSum(): DocumentSum {
  const lines = createHash('sha256');
  let isWhole = true;
  return {
    add(url, sha256) {
      if (sha256 === null) isWhole = false;
      else lines.update(`${sha256}  ${url}\n`);
    },
    end: () => (isWhole ? lines.copy().digest('hex') : null),
  };
}
