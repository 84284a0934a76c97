import type { CommandSpec } from './command-spec.ts';

/** Commands by which an operator takes back, corrects, moves or copies what was published. */
export const PUBLIC_TABLE = {
  withdraw: {
    says: 'withdraw a receipt: its text is removed, its hash stays in the log',
    words: '<id>',
    more: [
      'Removes the receipt, everything else that the store has about its URL, and the answer of the call that paid for it. The id, the hash of the statement, the reason and the time stay public.',
      'Other receipts of the URL stay; their ids are printed. A later check or crawl can make a new receipt. Caches outside, such as a CDN, keep their copies until they are purged, and older backups still contain the text.',
    ].join('\n\n'),
    options: [
      {
        flags: '--because <reason>',
        says: 'the public reason: secret, personal, legal or error',
        values: ['secret', 'personal', 'legal', 'error'],
      },
      { flags: '--all-of-url', says: 'every receipt of the same URL, of checks and of the crawl' },
      { flags: '--json', says: 'one JSON object instead of text' },
    ],
    examples: [
      'assay withdraw sc-00010203fcfdfeff --because secret',
      'assay withdraw 00010203ff --because personal --all-of-url',
    ],
  },
  correct: {
    says: 'publish a correction of a verdict that was wrong',
    words: '<id>',
    more: 'The receipt stays as it is; its page, /corrections and the log say what is right. A correction cannot be withdrawn, only corrected.',
    options: [
      { flags: '--verdict <verdict>', says: 'the right one', values: ['pay', 'skip', 'recheck'] },
      { flags: '--because <text>', says: 'why, in 1 to 500 printable characters' },
      { flags: '--json', says: 'one JSON object instead of text' },
    ],
    examples: [
      'assay correct sc-00010203fcfdfeff --verdict skip --because "The payee had been changed by a thief."',
    ],
  },
  retire: {
    says: 'move old receipts of checks out of the store, into files',
    more: [
      'Whole weeks only, from Monday to Monday UTC; the newest that can be moved ended at least a week ago. Every week becomes receipts/2026w47.ndjson.gz with the statements byte for byte, and a manifest with its count and SHA-256. The file is synced and read back before anything is removed, and a run that was interrupted is simply repeated.',
      'Entries, tiles and proofs of the transparency log stay. The service answers 410 for a receipt that was moved, or with ARCHIVE_URL redirects to its file. Crawl receipts are not moved. Without this command receipts stay for ever.',
    ].join('\n\n'),
    options: [
      { flags: '--before <day>', says: 'the weeks that ended before this day, such as 2026-06-01' },
      { flags: '--to <folder>', says: 'where the files go; an existing archive is added to' },
      {
        flags: '--files',
        says: 'also v1/receipts/ID.json, its statement and its proof as files of their own, for the server of ARCHIVE_URL; needs BASE_URL',
      },
      { flags: '--json', says: 'one JSON object per line' },
    ],
    examples: [
      'assay retire --before 2026-06-01 --to /srv/archive',
      'assay retire --before 2026-06-01 --to /srv/archive --files',
    ],
  },
  export: {
    says: 'write the public documents of this store as static files, for a CDN',
    words: '<folder>',
    more: [
      'The log, the receipts of checks and of the latest crawl with their statements, the first page of skips, and the snapshot, each under the path that the service has for it and byte for byte as the service answers. index.jsonl names every file with its SHA-256; index.json says how many there are.',
      'A second run writes what is new or has changed, and removes what the service no longer serves, such as a withdrawn receipt: purge it from the CDN, too. One run at a time for a folder. Needs BASE_URL, and the SECRET of the service.',
    ].join('\n\n'),
    options: [{ flags: '--json', says: 'one JSON object instead of text' }],
    examples: ['assay export /srv/www'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
