import type { CommandSpec } from './command-spec.ts';

/** For operators of a witness. */
export const WITNESS_TABLE = {
  witness: {
    says: 'cosign the checkpoints of transparency logs that only grow',
    more: [
      'Speaks c2sp.org/tlog-witness: prints its verifier key, then serves POST /add-checkpoint, and GET /<origin hash>/checkpoint for monitors. Put a proxy with TLS in front of it.',
      'Signed checkpoints that do not continue the last one are kept in the folder, as evidence-*. Use one process per folder; never restore the folder from a backup.',
    ].join('\n\n'),
    options: [
      {
        flags: '--policy <file>',
        says: 'the logs to witness: log lines of a tlog-policy, such as GET /log/policy',
      },
      { flags: '--key <file>', says: '64 hexadecimal digits; created when it is missing' },
      { flags: '--name <name>', says: 'the name in the key, such as witness.example/w1' },
      { flags: '--listen <host:port>', says: 'where to listen (default: 127.0.0.1:4404)' },
      { flags: '--data <folder>', says: 'the last checkpoint of each log (default: witness-data)' },
    ],
    examples: ['assay witness --policy logs.txt --key witness.key --name witness.example/w1'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
