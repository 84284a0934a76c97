import { BACKUP_TABLE } from './backup-table.ts';
import { type CommandSpec, NO_COLOR, type OptionSpec } from './command-spec.ts';
import { DOCTOR_TABLE } from './doctor-table.ts';
import { GUARD_TABLE } from './guard-table.ts';
import { LINT_TABLE } from './lint-table.ts';
import { LOG_TABLE, PROOF_OPTIONS } from './log-table.ts';
import { PUBLIC_TABLE } from './public-table.ts';
import { SANDBOX_TABLE } from './sandbox-table.ts';
import { SELLER_TABLE } from './seller-table.ts';
import { VANTAGE_TABLE } from './vantage-table.ts';
import { WITNESS_TABLE } from './witness-table.ts';

const SERVER: OptionSpec = {
  flags: '--server <address>',
  says: 'the service to ask (default: ASSAY_SERVER, else http://127.0.0.1:4402)',
};
const JSON_BODY: OptionSpec = { flags: '--json', says: 'print the JSON of the service unchanged' };
const TIMEOUT: OptionSpec = {
  flags: '--timeout <seconds>',
  says: 'seconds to wait for the service (default: 20)',
};
const KEY: OptionSpec = {
  flags: '--key <key>',
  says: 'the self-test key of the service: no quota and no charge (default: ASSAY_KEY)',
};
const LOCAL: OptionSpec = {
  flags: '--local',
  says: 'use the store of assay mcp on this machine, without a service',
};
const ASKING = [SERVER, TIMEOUT, JSON_BODY, NO_COLOR];

const REASONS = [
  ...['price_mismatch', 'network_mismatch', 'pay_to_mismatch', 'asset_not_usdc', 'network_unsupported'],
  ...['no_paywall', 'needs_input', 'bad_challenge', 'ssrf_blocked', 'path_template', 'name_not_found'],
];

/** Every command of `assay`: the only source for parsing, help and completion. */
const TABLE = {
  check: {
    says: 'probe an endpoint once, without paying: pay, skip or recheck?',
    words: '[url...]',
    more: [
      'Without a URL, or with -, reads lines from standard input: one URL each, or a JSON object with url and, optionally, claimed_price, method, pay_to, network and input.',
      'A host without a scheme is assumed to be https, or http on this machine. With several URLs, or from standard input, --json prints one object per line, each with its url.',
      'Exit codes: 0 pay, 1 skip, 2 invalid arguments, 3 recheck, 4 payment required, 5 service not available. With several URLs: the first of 2, 5, 4, 1, 3, 0 that applies to any of them.',
    ].join('\n\n'),
    options: [
      { flags: '--method <method>', says: 'GET or POST (default: GET)', values: ['GET', 'POST'] },
      {
        flags: '--input <json>',
        says: 'a JSON object for a listed endpoint that requires input before it asks for payment; only with POST',
      },
      { flags: '--claimed-price <usd>', says: 'the price you expect, such as 0.01' },
      { flags: '--pay-to <address>', says: 'the payee you expect' },
      {
        flags: '--network <caip2>',
        says: 'the network you expect',
        values: ['base', 'eip155:8453', 'solana'],
      },
      {
        flags: '--dry-run',
        says: 'the same unpaid request and a public receipt, but never an approval; 50 a day are free',
      },
      { flags: '--strict', says: 'exit with 3, not 0, for a pay with nothing compared' },
      { flags: '--local', says: 'check from this machine by the same rules, without a service or a receipt' },
      { flags: '--quiet', says: 'print the verdict and nothing else' },
      KEY,
      ...ASKING,
    ],
    examples: [
      'assay check https://api.example.com/data --claimed-price 0.01',
      'assay check --local --network base https://api.example.com/data',
      'assay check --dry-run --json < urls.txt',
      'assay check --strict --quiet "$url" && echo "can be paid"',
    ],
  },
  ...LINT_TABLE,
  lookup: {
    says: 'find services for a task, the most reliable first',
    words: '[task]',
    options: [
      { flags: '--max-price <usd>', says: 'the highest listed price of a call' },
      { flags: '--endpoint <id|url>', says: 'one service by its id or URL instead of a task' },
      {
        flags: '--n <count>',
        says: 'how many of our paid calls count for each service, 1 to 20 (default: 5)',
      },
      { flags: '--limit <count>', says: 'services shown, 1 to 20 (default: 10)' },
      LOCAL,
      KEY,
      ...ASKING,
    ],
    examples: [
      'assay lookup weather --max-price 0.02',
      'assay lookup --endpoint https://api.example.com/data',
    ],
  },
  receipt: {
    says: 'show a stored decision, by its id or by the URL that was checked',
    words: '<id|url|file>',
    more: [
      'The exit code is that of the newest verdict: 0 pay, 1 skip, 3 recheck. It is also 3 when there is no receipt, and when a pay is from a dry run, from the crawl, or past its deadline.',
      'With --verify it does not depend on the verdict: 0 nothing failed, 3 not in the log yet or withdrawn, 5 service not available, 6 proved wrong: forged, rewritten or withheld.',
    ].join('\n\n'),
    options: [LOCAL, ...PROOF_OPTIONS, ...ASKING],
    examples: [
      'assay receipt sc-00010203fcfdfeff',
      'assay receipt https://api.example.com/data',
      'assay receipt sc-00010203fcfdfeff --verify --save proof.json',
      'assay receipt ./proof.json --verify --policy assay.policy',
    ],
  },
  skips: {
    says: 'list endpoints that should not be paid, from the last crawl',
    more: 'Exit codes: 0 listed, 1 no such page, 2 invalid arguments, 5 service not available.',
    options: [
      { flags: '--reason <code>', says: 'only with this reason', values: REASONS },
      { flags: '--list <name>', says: 'only from this discovery list' },
      { flags: '--network <caip2>', says: 'only on this network' },
      { flags: '--host <name>', says: 'only at this host' },
      { flags: '--page <number>', says: 'start at this page of 500 (default: 1)' },
      {
        flags: '--limit <count>',
        says: 'rows of the table, 1 to 5000 (default: 50); JSON is always a whole page',
      },
      ...ASKING,
    ],
    examples: ['assay skips --reason pay_to_mismatch', 'assay skips --list payai-bazaar --limit 500'],
  },
  tasks: {
    says: 'list the tasks and the services for each',
    options: [LOCAL, ...ASKING],
    examples: ['assay tasks', 'assay tasks --local --json'],
  },
  serve: {
    says: 'run the service',
    more: 'Settings are environment variables; see docs/operations.md. The store is in DATA_DIR, ./data by default.',
    options: [],
    examples: ['assay serve', 'PORT=8080 DATA_DIR=/var/lib/assay assay serve'],
  },
  verify: {
    says: 'pay for one call to each service of the catalog and grade the answers',
    options: [
      { flags: '--service <id>', says: 'only this service; may be repeated', repeats: true },
      { flags: '--dry-run', says: 'send the unpaid requests, and pay nothing' },
      { flags: '--watch', says: 'keep running, and verify each service when it is due' },
      { flags: '--json', says: 'one JSON object per line' },
    ],
    examples: ['assay verify --dry-run', 'BUYER_KEY=0x... assay verify --service payapi-weather'],
  },
  crawl: {
    says: 'read the public lists, check every listed endpoint once, publish what to skip',
    more: 'With --limit, or with only some of the lists, the run is a preview: it is shown, and nothing of it is published or kept. The names of the lists are in catalog/discovery.json.',
    options: [
      { flags: '--list <name>', says: 'only this list; may be repeated', repeats: true },
      { flags: '--limit <count>', says: 'at most this many endpoints of each list' },
      { flags: '--resume', says: 'continue the unfinished run' },
      { flags: '--publish-anyway', says: 'publish a run in which most endpoints could not be reached' },
      { flags: '--json', says: 'one JSON object per line' },
    ],
    examples: ['assay crawl', 'assay crawl --list payai-bazaar --limit 100'],
  },
  'crawl-worker': {
    says: 'probe for a crawl that another process leads, on the same PostgreSQL',
    options: [{ flags: '--json', says: 'one JSON object per line' }],
    examples: ['DATABASE_URL=postgres://... assay crawl-worker'],
  },
  report: {
    says: 'show which names, refs and tasks lead to lookups',
    options: [
      { flags: '--since <days>', says: 'whole UTC days to look back (default: 30)' },
      { flags: '--json', says: 'one JSON object instead of text' },
    ],
    examples: ['assay report --since 7'],
  },
  migrate: {
    says: 'upgrade the database to this release',
    options: [
      { flags: '--new-secret', says: 'use the SECRET of this process from now on; quotas start again' },
      { flags: '--json', says: 'one JSON object instead of text' },
    ],
    examples: ['assay migrate', 'DATABASE_URL=postgres://... assay migrate'],
  },
  mcp: {
    says: 'serve the MCP tools to a local agent, over standard input and output',
    more: 'Without --server, everything runs on this machine and for its user: no quota, no charge, no link to a service. Checks leave receipts in $XDG_DATA_HOME/assay, ~/.local/share/assay by default, or in DATA_DIR; assay receipt --local shows them. With --server, catalog and tasks are answered here while the service cannot be reached.',
    options: [{ flags: '--server <address>', says: 'forward calls to this service' }, KEY],
    examples: ['assay mcp', 'assay mcp --server https://assay.example.org'],
  },
  ...BACKUP_TABLE,
  ...DOCTOR_TABLE,
  ...WITNESS_TABLE,
  ...VANTAGE_TABLE,
  ...LOG_TABLE,
  ...PUBLIC_TABLE,
  ...SELLER_TABLE,
  ...GUARD_TABLE,
  ...SANDBOX_TABLE,
  completion: {
    says: 'print a completion script for your shell',
    words: '<shell>',
    wordValues: ['bash', 'zsh', 'fish'],
    options: [],
    examples: [
      'source <(assay completion bash)',
      'assay completion zsh > ~/.zfunc/_assay',
      'assay completion fish > ~/.config/fish/completions/assay.fish',
    ],
  },
} satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof TABLE;

export const COMMANDS: Readonly<Record<CommandName, CommandSpec>> = TABLE;

/** First words that are followed by a second one, as in `assay guard ledger`. */
export const GROUPS: Readonly<Record<string, string>> = {
  log: 'the transparency log of receipts: verify all of it, its keys, its files',
  seller: 'for owners of endpoints: prove control of your host, re-test, reply, watch',
  guard: 'guard the payments of any agent: gateway, MCP proxy, and the ledger of purchases',
};

export function isGroup(word: string): boolean {
  return Object.hasOwn(GROUPS, word);
}

export function isCommandName(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}
