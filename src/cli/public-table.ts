import type { CommandSpec } from './command-spec.ts';

/** Commands by which an operator takes back or corrects what was published. */
export const PUBLIC_TABLE = {
  withdraw: {
    says: 'withdraw a receipt: its text is removed, its hash stays in the log',
    words: '<id>',
    more: [
      'Removes the receipt, everything else that the store has about its URL, and the answer of the call that paid for it. What stays, in public: the id, the hash of the statement, the reason and the time.',
      'Other receipts of the URL stay; their ids are printed. Nothing keeps a later check or crawl from making a new receipt. Caches outside, such as a CDN, keep their copies until they are purged, and so do backups.',
    ].join('\n\n'),
    options: [
      {
        flags: '--because <reason>',
        says: 'the public reason',
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
    more: 'The receipt stays as it is; its page, /corrections and the log say what is right. A correction cannot be taken back, only corrected.',
    options: [
      { flags: '--verdict <verdict>', says: 'the right one', values: ['pay', 'skip', 'recheck'] },
      { flags: '--because <text>', says: 'why, in 1 to 500 printable characters' },
      { flags: '--json', says: 'one JSON object instead of text' },
    ],
    examples: [
      'assay correct sc-00010203fcfdfeff --verdict skip --because "The payee had been changed by a thief."',
    ],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
