import type { CommandSpec } from './command-spec.ts';

/** Commands that run everything on this machine, to try it out. */
export const SANDBOX_TABLE = {
  sandbox: {
    says: 'run everything on this machine, to try it out',
    options: [
      {
        flags: '--port <port>',
        says: 'port of the service and of the sellers (default: 4402); 0 takes any free ports',
      },
      {
        flags: '--allow-target <address:port>',
        says: 'one more target of 127.0.0.0/8; may be repeated',
        repeats: true,
      },
      { flags: '--bare', says: 'start empty: neither paid calls nor a crawl' },
      { flags: '--verify', says: 'only the paid calls, which lookups show' },
      { flags: '--crawl', says: 'only the crawl, which skips shows' },
      { flags: '--json', says: 'one line of JSON instead of the guide' },
    ],
    examples: ['assay sandbox', 'assay sandbox --bare --port 0 --json'],
  },
  tour: {
    says: 'see a check, a purchase, a refusal and a proof in a minute, with play money',
    more: 'Starts a sandbox of its own, runs five real commands against it, and removes it. Exit code 1 if one of them does not do what the tour says.',
    options: [],
    examples: ['assay tour'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
