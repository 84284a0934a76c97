import type { CommandSpec } from './command-spec.ts';

/** For operators: what is wrong with a deployment. */
export const DOCTOR_TABLE = {
  doctor: {
    says: 'check a deployment: what is wrong, and the fix',
    more: [
      'Reads the settings of the service (and BUYER_KEY of the runner) and looks at the store, the secret, clocks, files, wallets, the facilitator, the node, the public address, its proxy and certificate, the log, its witnesses and the metrics. Migrates nothing. Takes two free lookups of this address when BASE_URL is set.',
      'Exit codes: 0 no failure, 1 a failure, 2 invalid arguments. Warnings do not count.',
    ].join('\n\n'),
    options: [{ flags: '--json', says: 'one JSON object instead of text' }],
    examples: ['assay doctor', 'env $(cat /etc/assay.env) assay doctor --json'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
