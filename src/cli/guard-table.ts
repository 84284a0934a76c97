import { type CommandSpec, NO_COLOR, type OptionSpec } from './command-spec.ts';

const LEDGER: OptionSpec = {
  flags: '--ledger <file>',
  says: 'the ledger (default: that of the policy in ASSAY_GUARD, else ~/.assay/purchases.db)',
};
const JSON_OBJECT: OptionSpec = { flags: '--json', says: 'one JSON object instead of text' };
const POLICY: OptionSpec = { flags: '--policy <file>', says: 'the policy, in JSON' };
const READING = [LEDGER, JSON_OBJECT, NO_COLOR];
const AN_ID = 'The beginning of an id is enough: eight characters or more that only one purchase has.';

/** The commands of the guard. */
export const GUARD_TABLE = {
  'guard ledger': {
    says: 'list the last purchases, and what was spent in 24 hours',
    options: [{ flags: '--limit <count>', says: 'rows shown, 1 to 5000 (default: 50)' }, ...READING],
    examples: ['assay guard ledger', 'assay guard ledger --ledger purchases.db --json'],
  },
  'guard open': {
    says: 'list open purchases, and the amount held for them',
    options: READING,
    examples: ['assay guard open'],
  },
  'guard show': {
    says: 'show one purchase',
    words: '<id>',
    more: AN_ID,
    options: READING,
    examples: ['assay guard show pur_3f0c8a52'],
  },
  'guard evidence': {
    says: 'print everything about one purchase as JSON, for the seller or an arbiter',
    words: '<id>',
    more: `${AN_ID} The output has neither a key nor a signature in it.`,
    // The output is JSON in any case.
    options: [LEDGER, JSON_OBJECT],
    examples: ['assay guard evidence pur_3f0c8a52 > evidence.json'],
  },
  'guard freeze': {
    says: 'stop all payments of a ledger, in every process',
    options: [LEDGER, JSON_OBJECT],
    examples: ['assay guard freeze'],
  },
  'guard unfreeze': {
    says: 'allow payments again',
    options: [LEDGER, JSON_OBJECT],
    examples: ['assay guard unfreeze'],
  },
  'guard serve': {
    says: 'run a gateway without keys that guards payers in any language',
    more: [
      'A client requests http://127.0.0.1:4403/https://seller.example/path instead of https://seller.example/path and signs for itself. The headers X-Assay-Purchase, X-Assay-Task and X-Assay-Max-Price are read and removed.',
      'A refusal is 403, or 502 when a payment was sent before, with application/problem+json.',
    ].join('\n\n'),
    options: [
      { flags: '--listen <address:port>', says: 'a loopback address (default: 127.0.0.1:4403)' },
      POLICY,
    ],
    examples: ['assay guard serve --policy policy.json'],
  },
  'guard mcp': {
    says: 'guard payments between an MCP client and a paid MCP server',
    words: '[command...]',
    more: 'Speaks MCP over standard input and output, and starts the server with the words after --, or connects to it with --url.',
    options: [POLICY, { flags: '--url <url>', says: 'the server, over HTTP' }],
    examples: [
      'assay guard mcp --policy policy.json -- npx -y paid-server',
      'assay guard mcp --policy policy.json --url https://seller.example/mcp',
    ],
  },
  'guard gdp': {
    says: 'decide about payments for a test bench, one JSON object per line (GDP v1)',
    options: [],
    examples: ['assay guard gdp'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
