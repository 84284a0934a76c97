import { type CommandSpec, NO_COLOR, type OptionSpec } from './command-spec.ts';

const TIMEOUT: OptionSpec = {
  flags: '--timeout <seconds>',
  says: 'seconds to wait for each answer of the service (default: 20)',
};
const MEMORY: OptionSpec = {
  flags: '--memory <folder>',
  says: 'where policies and checkpoints are remembered (default: ~/.config/assay/log)',
};
const POLICY: OptionSpec = {
  flags: '--policy <file>',
  says: 'trust this policy (c2sp.org/tlog-policy) instead of the first one seen',
};

/** Options of `assay receipt --verify`. */
export const PROOF_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--verify',
    says: 'verify the proof that the receipt is in the transparency log; also from a saved file',
  },
  POLICY,
  { flags: '--promise <file>', says: 'a promise to compare with: the note, or the saved JSON of a check' },
  { flags: '--save <file>', says: 'write the proof to a file that verifies offline' },
  MEMORY,
];

/** The transparency log, for everybody who wants to verify it. */
export const LOG_TABLE = {
  'log check': {
    says: 'read the whole transparency log of a service, and judge every statement again',
    words: '[url]',
    more: [
      'Rebuilds the tree from its entries, compares it with what this machine remembers, fetches every statement, hashes it, and judges it by the installed rules. Evidence of a fault is kept beside the memory.',
      'Exit codes: 0 sound, 2 invalid arguments, 3 nothing wrong, but no quorum of witnesses yet, or statements in an archive that was not read, 5 service not available, 6 proved wrong: forged, rewritten or withheld.',
    ].join('\n\n'),
    options: [
      {
        flags: '--since <file|size>',
        says: 'a checkpoint that you kept, which the log must continue; or a size, to fetch only newer statements',
      },
      {
        flags: '--archive <folder>',
        says: 'the archive with the statements that the log no longer serves (assay retire)',
      },
      POLICY,
      MEMORY,
      TIMEOUT,
      { flags: '--json', says: 'one JSON object instead of text' },
      NO_COLOR,
    ],
    examples: ['assay log check https://assay.example.com', 'assay log check --since checkpoint.txt --json'],
  },
  'log key': {
    says: 'print the policy of a log: its keys, its witnesses and their quorum',
    words: '[url]',
    options: [TIMEOUT],
    examples: ['assay log key https://assay.example.com > assay.policy'],
  },
  'log export': {
    says: 'write the log of this store as files, for a web server or a CDN',
    words: '<folder>',
    more: 'The files are those below /log of the service. Existing tiles are kept, and each checkpoint is written last. assay export writes them together with everything else that can be static.',
    options: [],
    examples: ['assay log export /srv/www/log'],
  },
  'log epoch': {
    says: 'end the log of this store, and begin the next one under another name',
    more: 'After the database was rolled back to an older state, or after the key of the log was stolen (set LOG_KEY first). The first entry of the new log says where the old one ended, so clients notice what was lost. Stop the service before, and start it afterwards.',
    options: [],
    examples: ['assay log epoch'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
