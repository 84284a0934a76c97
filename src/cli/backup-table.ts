import type { CommandSpec } from './command-spec.ts';

/** The whole store in one file, out and in. */
export const BACKUP_TABLE = {
  backup: {
    says: 'write the whole store to one file, while the service keeps running',
    words: '<file>',
    more: 'The secret is not in the file: keep SECRET, or the file "secret" in DATA_DIR, with it.',
    options: [
      {
        flags: '--keep <count>',
        says: 'the file is a folder: each backup in it is named after its time, and the newest stay',
      },
      {
        flags: '--every <hours>',
        says: 'with --keep: keep running, and make a backup each time the newest is that old',
      },
    ],
    examples: ['assay backup assay.gz', 'assay backup /var/backups/assay --keep 14'],
  },
  restore: {
    says: 'load a backup into a store that has never been used',
    words: '<file>',
    more: 'A backup of the embedded store can be restored to PostgreSQL, and vice versa.',
    options: [],
    examples: ['DATABASE_URL=postgres://... assay restore assay.gz'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
