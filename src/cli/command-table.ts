export interface OptionSpec {
  /** As in '--network <caip2>'; a value stands in angle brackets. */
  readonly flags: string;
  readonly says: string;
  /** What a shell may offer as its value. */
  readonly values?: readonly string[];
}

export interface CommandSpec {
  readonly name: string;
  readonly says: string;
  /** Words behind the command, as in '[url...]'. */
  readonly words?: string;
  readonly wordValues?: readonly string[];
  readonly more?: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
}

const SERVER: OptionSpec = {
  flags: '--server <address>',
  says: 'the service to ask (default: ASSAY_SERVER, else http://127.0.0.1:4402)',
};
const JSON_BODY: OptionSpec = { flags: '--json', says: 'print the answer of the service unchanged' };
const NO_COLOR: OptionSpec = { flags: '--no-color', says: 'no colours, also on a terminal' };
const TIMEOUT: OptionSpec = {
  flags: '--timeout <seconds>',
  says: 'how long to wait for the service (default: 20)',
};
const ASKING = [SERVER, TIMEOUT, JSON_BODY, NO_COLOR];

const REASONS = [
  ...['price_mismatch', 'network_mismatch', 'pay_to_mismatch', 'asset_not_usdc', 'network_unsupported'],
  ...['no_paywall', 'bad_challenge', 'ssrf_blocked', 'path_template', 'name_not_found'],
];

/** Everything that `assay` can be told, for parsing, help and completion. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'check',
    says: 'look once, unpaid, at an endpoint: pay, skip or recheck?',
    words: '[url...]',
    more: [
      'Without a URL, or with - for one, lines of standard input are read: a URL each, or a JSON object with url and, if you like, claimed_price, method, pay_to and network.',
      'Exit codes: 0 pay, 1 skip, 2 asked wrongly, 3 recheck, 4 payment required, 5 service not available. For many URLs it is the first of 2, 5, 4, 1, 3, 0 that any of them has.',
    ].join('\n\n'),
    options: [
      { flags: '--method <method>', says: 'GET or POST (default: GET)', values: ['GET', 'POST'] },
      { flags: '--claimed-price <usd>', says: 'the price you expect, such as 0.01' },
      { flags: '--pay-to <address>', says: 'the payee you expect' },
      {
        flags: '--network <caip2>',
        says: 'the network you expect',
        values: ['base', 'eip155:8453', 'solana'],
      },
      { flags: '--dry-run', says: 'never an approval; 50 a day are free' },
      { flags: '--local', says: 'look from this machine, by the same rules, without any service' },
      { flags: '--quiet', says: 'print the verdict and nothing else' },
      ...ASKING,
    ],
    examples: [
      'assay check https://api.example.com/data --claimed-price 0.01',
      'assay check --local --network base https://api.example.com/data',
      'assay check --dry-run --json < urls.txt',
      'assay check --quiet "$url" && echo "can be paid"',
    ],
  },
  {
    name: 'lookup',
    says: 'services for a task, the most dependable first',
    words: '[task]',
    options: [
      { flags: '--max-price <usd>', says: 'highest listed price of a call' },
      { flags: '--endpoint <id|url>', says: 'one service by its id or URL instead of a task' },
      { flags: '--n <count>', says: 'paid calls looked at for each service, 1 to 20 (default: 5)' },
      { flags: '--limit <count>', says: 'services shown, 1 to 20 (default: 10)' },
      ...ASKING,
    ],
    examples: [
      'assay lookup weather --max-price 0.02',
      'assay lookup --endpoint https://api.example.com/data',
    ],
  },
  {
    name: 'receipt',
    says: 'a stored decision, by its id or by the URL that was checked',
    words: '<id|url>',
    more: 'The exit code is that of the newest verdict: 0 pay, 1 skip, 3 recheck; 3 also when there is no receipt, and for a pay that is a dry run, of the crawl, or past its deadline.',
    options: ASKING,
    examples: ['assay receipt sc-00010203fcfdfeff', 'assay receipt https://api.example.com/data'],
  },
  {
    name: 'skips',
    says: 'listed endpoints that should not be paid, from the last crawl',
    options: [
      { flags: '--reason <code>', says: 'only with this reason', values: REASONS },
      { flags: '--list <name>', says: 'only from this discovery list' },
      { flags: '--network <caip2>', says: 'only on this network' },
      { flags: '--host <name>', says: 'only at this host' },
      { flags: '--page <number>', says: 'begin with this page of 500 (default: 1)' },
      {
        flags: '--limit <count>',
        says: 'rows of the table, 1 to 5000 (default: 50); JSON is always a whole page',
      },
      ...ASKING,
    ],
    examples: ['assay skips --reason pay_to_mismatch', 'assay skips --list bazaar --limit 500'],
  },
  {
    name: 'tasks',
    says: 'the names of tasks, and the services for each',
    options: ASKING,
    examples: ['assay tasks', 'assay tasks --json'],
  },
  {
    name: 'serve',
    says: 'answer requests (what happens without a command)',
    more: 'Its settings are variables of the environment; docs/operations.md has them all.',
    options: [],
    examples: ['assay serve', 'PORT=8080 assay serve'],
  },
  {
    name: 'verify',
    says: 'pay services of the catalog for one call each, and grade the answers',
    options: [
      { flags: '--service <id>', says: 'only this one; as often as you like' },
      { flags: '--dry-run', says: 'look and judge, but pay nothing' },
      { flags: '--watch', says: 'go on, with the services that become due' },
      { flags: '--json', says: 'one JSON object a line' },
    ],
    examples: ['assay verify --dry-run', 'BUYER_KEY=0x... assay verify --service payapi-weather'],
  },
  {
    name: 'crawl',
    says: 'read the public lists, check every listed endpoint once, publish what to skip',
    options: [
      { flags: '--list <name>', says: 'only this list; as often as you like' },
      { flags: '--limit <count>', says: 'only so many endpoints of each list' },
      { flags: '--resume', says: 'go on with the run that was left' },
      { flags: '--json', says: 'one JSON object a line' },
    ],
    examples: ['assay crawl', 'assay crawl --list bazaar --limit 100'],
  },
  {
    name: 'crawl-worker',
    says: 'probe beside a crawl that another process leads, on the same PostgreSQL',
    options: [{ flags: '--json', says: 'one JSON object a line' }],
    examples: ['DATABASE_URL=postgres://... assay crawl-worker'],
  },
  {
    name: 'report',
    says: 'which names, refs and tasks lead to lookups',
    options: [
      { flags: '--since <days>', says: 'whole UTC days to look back (default: 30)' },
      { flags: '--json', says: 'one JSON object instead of text' },
    ],
    examples: ['assay report --since 7'],
  },
  {
    name: 'migrate',
    says: 'bring the database up to this release',
    options: [{ flags: '--json', says: 'one JSON object instead of text' }],
    examples: ['assay migrate', 'DATABASE_URL=postgres://... assay migrate'],
  },
  {
    name: 'mcp',
    says: 'the tools for an agent on this machine, over standard input and output',
    more: 'Without a server everything is answered from the store of this machine, and checks start here. With one, the catalog and the tasks are answered here while the service cannot be reached.',
    options: [{ flags: '--server <address>', says: 'have a service answer' }],
    examples: ['assay mcp', 'assay mcp --server https://assay.example.org'],
  },
  {
    name: 'backup',
    says: 'everything that the store holds, into one file, while the service goes on',
    words: '<file>',
    more: 'The secret is not in the file: keep SECRET, or the file "secret" in DATA_DIR, beside it.',
    options: [],
    examples: ['assay backup assay.gz'],
  },
  {
    name: 'restore',
    says: 'a backup, into a store that has never been used',
    words: '<file>',
    more: 'A backup of the embedded store may become one on PostgreSQL, and the other way round.',
    options: [],
    examples: ['DATABASE_URL=postgres://... assay restore assay.gz'],
  },
  {
    name: 'sandbox',
    says: 'a whole world on this machine to try everything in',
    options: [
      { flags: '--port <port>', says: 'where the service listens (default: 4402); 0 takes any' },
      { flags: '--allow-target <address:port>', says: 'one more place of 127.0.0.0/8 that may be checked' },
      { flags: '--verify', says: 'pay the sellers once, so that lookups have something to show' },
      { flags: '--crawl', says: 'crawl the lists, so that skips has something to show' },
      { flags: '--json', says: 'one line of JSON instead of the guide' },
    ],
    examples: ['assay sandbox --verify --crawl'],
  },
  {
    name: 'completion',
    says: 'a script that lets your shell complete all of this',
    words: '<shell>',
    wordValues: ['bash', 'zsh', 'fish'],
    options: [],
    examples: [
      'source <(assay completion bash)',
      'assay completion zsh > ~/.zfunc/_assay',
      'assay completion fish > ~/.config/fish/completions/assay.fish',
    ],
  },
];

export function findCommand(name: string): CommandSpec | undefined {
  return COMMANDS.find((command) => command.name === name);
}
