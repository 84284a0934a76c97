import { type CommandSpec, NO_COLOR, type OptionSpec } from './command-spec.ts';

const KEY: OptionSpec = { flags: '--key <file>', says: 'the key file of assay seller key' };
const ASKING: readonly OptionSpec[] = [
  KEY,
  {
    flags: '--server <address>',
    says: 'the service to ask (default: ASSAY_SERVER, else http://127.0.0.1:4402)',
  },
  { flags: '--timeout <seconds>', says: 'seconds to wait for the service (default: 20)' },
  { flags: '--json', says: 'print the JSON of the service unchanged' },
  NO_COLOR,
];
const METHOD: OptionSpec = {
  flags: '--method <method>',
  says: 'GET or POST (default: that of the listing)',
  values: ['GET', 'POST'],
};

/** The commands for owners of endpoints. */
export const SELLER_TABLE = {
  'seller key': {
    says: 'create a key file and print the line that your host has to publish',
    words: '<file>',
    more: 'Publish the line in https://<your host>/.well-known/assay-verify.txt, or as a TXT record at _assay.<your host>. An existing key file is kept, and its line is printed.',
    options: [{ flags: '--json', says: 'one JSON object instead of text' }],
    examples: ['assay seller key assay.pem', 'assay seller key assay.pem > assay-verify.txt'],
  },
  'seller retest': {
    says: 'have your endpoint checked again at once',
    words: '<url>',
    more: 'Exit codes: 0 pay, 1 skip, 2 invalid arguments or not proven, 3 recheck, 5 service not available.',
    options: [METHOD, ...ASKING],
    examples: ['assay seller retest https://api.example.com/data --key assay.pem'],
  },
  'seller reply': {
    says: 'publish a reply beside our verdict; it replaces an earlier one',
    words: '<url>',
    options: [{ flags: '--note <text>', says: 'at most 500 characters' }, ...ASKING],
    examples: [
      'assay seller reply https://api.example.com/data --note "The list has our old price." --key assay.pem',
    ],
  },
  'seller withdraw-reply': {
    says: 'remove your reply',
    words: '<url>',
    options: ASKING,
    examples: ['assay seller withdraw-reply https://api.example.com/data --key assay.pem'],
  },
  'seller watch': {
    says: 'notify a webhook when the verdict, the price or the payee changes',
    words: '<url>',
    more: 'Prints the signing key once: every delivery has Assay-Signature: v1=<hex HMAC-SHA256 of timestamp.body> with it. A watch ends after 90 days unless it is renewed.',
    options: [{ flags: '--webhook <url>', says: 'an https URL' }, METHOD, ...ASKING],
    examples: [
      'assay seller watch https://api.example.com/data --webhook https://hooks.example.com/assay --key assay.pem',
    ],
  },
  'seller unwatch': {
    says: 'end all watches of a URL',
    words: '<url>',
    options: ASKING,
    examples: ['assay seller unwatch https://api.example.com/data --key assay.pem'],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
