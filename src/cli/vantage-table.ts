import type { CommandSpec } from './command-spec.ts';

/** For operators of a vantage. */
export const VANTAGE_TABLE = {
  vantage: {
    says: 'probe endpoints for services elsewhere, and sign what you saw',
    more: [
      'Prints its verifier key, then serves POST /observe to the clients that it knows. It has no store and no wallet, sends unpaid requests to the public web only, and keeps nothing. Put a proxy with TLS in front of it.',
      'Of the settings it reads BASE_URL, its own public address, and CONTACT, both shown to targets; BLOCKED_HOSTS and OWN_ADDRESSES, where nothing is sent.',
    ].join('\n\n'),
    options: [
      { flags: '--key <file>', says: '64 hexadecimal digits; created when it is missing' },
      { flags: '--name <name>', says: 'the name in the key, such as vantage.example/v1' },
      { flags: '--clients <file>', says: 'the clients: lines of assay vantage-key' },
      { flags: '--listen <host:port>', says: 'where to listen (default: 127.0.0.1:4405)' },
    ],
    examples: ['assay vantage --key vantage.key --name vantage.example/v1 --clients clients.txt'],
  },
  'vantage-key': {
    says: 'print the line by which vantages know this service',
    more: 'The key comes from the secret of the service, and its name from BASE_URL: use the settings of the service.',
    options: [],
    examples: ['assay vantage-key', 'BASE_URL=https://assay.example.com assay vantage-key'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
