import { type CommandSpec, NO_COLOR } from './command-spec.ts';

export const LINT_TABLE = {
  lint: {
    says: 'check your own paid endpoint as probers, payers and browsers see it',
    words: '<url|file>',
    more: [
      'Sends at most seven unpaid requests, one after the other: GET or POST, the same with --input, the same with an Origin, OPTIONS, HEAD, /openapi.json and /.well-known/x402 of the origin. A file is a response as curl -i prints it, or the JSON of a 402; - reads standard input.',
      'Exit codes: 0 nothing at the level of --fail-on or above, 1 something, 2 invalid arguments, 5 target not reachable. docs/lint.md has every check.',
    ].join('\n\n'),
    options: [
      { flags: '--method <method>', says: 'GET or POST (default: GET)', values: ['GET', 'POST'] },
      { flags: '--price <usd>', says: 'the price that you mean to ask, such as 0.01' },
      { flags: '--payee <address>', says: 'the wallet that you mean to be paid to' },
      {
        flags: '--network <caip2>',
        says: 'the network that you mean to be paid on',
        values: ['base', 'eip155:8453', 'solana'],
      },
      { flags: '--input <json>', says: 'a JSON body for POST, sent after the request without input' },
      {
        flags: '--fail-on <level>',
        says: 'error, warning or never: what exit code 1 is for (default: error)',
        values: ['error', 'warning', 'never'],
      },
      { flags: '--allow-local', says: 'also request this machine and private networks' },
      {
        flags: '--format <format>',
        says: 'text, json, sarif or junit (default: text)',
        values: ['text', 'json', 'sarif', 'junit'],
      },
      { flags: '--output <file>', says: 'write the report to a file' },
      NO_COLOR,
    ],
    examples: [
      'assay lint https://api.example.com/data --price 0.01 --network base',
      'assay lint --allow-local --method POST --input \'{"city":"Bern"}\' http://localhost:4021/weather',
      'curl -si https://api.example.com/data | assay lint -',
      'assay lint --format sarif --output lint.sarif https://api.example.com/data',
    ],
  },
} satisfies Readonly<Record<string, CommandSpec>>;
