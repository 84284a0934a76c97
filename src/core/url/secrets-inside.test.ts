import { describe, expect, it } from 'vitest';
import { holdsCredential, redactUrl } from './redact-url.ts';

const SEED = `${'abandon '.repeat(11)}about`;
const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const nested = (levels: number, inside: string) => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;

/** Each of them is the value of a harmless name, and a part of a path; and more than a word. */
const SECRETS: readonly [string, string][] = [
  // A JSON document
  ['a live key in JSON', '{"apiKey":"sk_live_abcdefghijklmnop"}'],
  ['a token of a code host in JSON', '{"token":"ghp_abcdefghijklmnopqrstuvwxyzabcdefghij"}'],
  ['a password in JSON', '{"user":"joe","password":"correct-horse-battery"}'],
  ['a model key in JSON', '{"key":"sk-proj-abcdefghijk1lmnopqrst"}'],
  [
    'a token beside a link',
    '{"url":"https://hooks.slack.com/services/T000/B000/XXXX","token":"xoxb-abcdefghijkl"}',
  ],
  ['seed words by their name', JSON.stringify({ mnemonic: SEED })],
  ['seed words in JSON quotes', JSON.stringify(SEED)],
  ['seed words under a harmless name', JSON.stringify({ text: SEED })],
  ['a vendor key under a harmless name', '{"x":"AIza123456"}'],
  ['a vendor key that names a member', '{"sk_live_abcdefgh":1}'],
  ['a bare hash that names a member', `{"${'0a'.repeat(16)}":1}`],
  ['a number', '{"pin":1234}'],
  ['a list under a secret name', '{"password":["hunter2"]}'],
  ['a list of seed words', JSON.stringify({ mnemonic: SEED.split(' ') })],
  ['seed words in a list of two', JSON.stringify({ keys: ['abandon', SEED] })],
  ['words in JSON', '{"password":"correct horse battery"}'],
  ['a word with capitals inside', '{"key":"abCdef"}'],
  ['a word in capitals', '{"key":"QXKMZRTB"}'],
  ['a word that is too long for one', '{"key":"abcdefghijklm"}'],
  ['a word with digits', '{"session":"summer26"}'],
  ['a short key in hexadecimal', '{"key":"a3f09c1e"}'],
  ['a short key in base64', '{"key":"aGVsbG8="}'],
  ['an escape in a name', '{"p\\u0061ssword":"hunter2"}'],
  ['the first of two equal names', '{"password":"hunter2","password":""}'],
  ['blanks between', '{ "password" : "hunter2" }'],
  ['JSON in a string of JSON', JSON.stringify({ body: '{"password":"hunter2"}' })],
  ['a random code in JSON', `{"code":"${'0a'.repeat(16)}"}`],
  ['an OAuth code in a link', 'https://b.example/cb?state=x&code=1'],
  ['the code of a login', '{"otp_code":"123456"}'],
  ['parameters in a string of JSON', '{"url":"https://b.example/?api_key=S"}'],
  ['a link with a user in a string of JSON', '{"db":"postgres://u:p@db/x"}'],
  // Pairs in text
  ['a header', 'Authorization: Bearer abcdefghijklmnopqrst'],
  ['a header of one word', 'X-API-Key: abcdefghijkl'],
  ['a header without a blank', 'X-API-Key:abcdefghijkl'],
  ['a header in a command', 'curl -H "X-API-Key: abcdefghijkl" https://b.example'],
  ['a header with many blanks', `Authorization: Bearer${' '.repeat(20)}abcdefgh`],
  ['several headers', 'Accept: text/html\nCookie: a=b'],
  ['an arrow', 'password => hunter'],
  ['a password in a sentence', 'my password: swordfish, thanks'],
  ['a letters-only key that is too long for a word', 'token: abcdefghijklmnopqrst'],
  ['an assignment behind a blank', 'export user=joe password=hunter'],
  ['a key with punctuation', 'key: k3y'],
  ['words in single quotes', "{'password': 'correct horse battery'}"],
  ['a word without its closing quote', '{"user":"joe","password":"hunter'],
  ['seed words with commas', `mnemonic: ${SEED.replaceAll(' ', ', ')}`],
  ['a pair without a blank', 'user:joe password:hunter'],
  ['a name of a program', 'apiKey: abcdefghijkl'],
  ['a word and its parameter', 'secret: identity password=hunter'],
  // Vendors
  ['a vendor key in a sentence', 'my key is sk_live_abcdefghijklmnop'],
  ['behind an underscore', 'prod_sk_live_abcdefghijklmnop'],
  ['behind a hyphen', 'x-ghp_abcdefghijklmnopqrst'],
  ['in brackets', '(xoxb-abcdefghijkl)'],
  ['behind a comma', 'a,AKIAABCDEFGHIJKLMNOP'],
  ['a model key in a sentence', 'use sk-proj-abcdefghijk1lmnopqrst'],
  ['a web token in a sentence', 'jwt eyJhbGciOi.e30.S'],
  ['a bearer value in a sentence', 'send bearer abcdefghijk1'],
  ['a link with a user in a sentence', 'see mongodb+srv://u:p@db/x'],
  ['a chat bot in a link', `https://b.example/bot123456:${'a'.repeat(30)}/x`],
  // Seed words
  ['seed words behind other words', `my wallet: ${SEED}`],
  ['seed words before a full stop', `Words are ${SEED}.`],
  ['seed words between lines', `wallet 1\n${SEED}\n2`],
  // Encoded again
  ['a link that is encoded twice', 'https%3A%2F%2Fb.example%2Fcb%3Faccess_token%3Dabcdefgh'],
  ['three times', 'https%253A%252F%252Fb.example%252Fcb%253Faccess_token%253Dabcdefgh'],
  ['twice with a broken escape', 'password%3Dhunter%zz'],
  ['a bearer value that is encoded twice', 'Bearer%20abc'],
];

const HARMLESS: readonly string[] = [
  `eip155:8453/erc20:${ADDRESS}`,
  `${ADDRESS},${ADDRESS}`,
  '{"q":"weather","limit":5,"exact":true,"after":null}',
  '{"max_tokens":100,"model":"gpt-4o-mini","seed":42,"temperature":0.7}',
  `{"token":"${ADDRESS}","chain":"eip155:8453"}`,
  `{"tokenIn":"${ADDRESS}","token_address":"${ADDRESS}"}`,
  `{"wallets":["${SOLANA}"],"tx":"${'0a'.repeat(16)}"}`,
  '{"password":"","code":"","token":null,"email":true,"keys":[],"auth":{}}',
  '{"query":"{ pools(first: 5) { id } }"}',
  '{"messages":[{"role":"user","content":"How are you? It is 12:30."}]}',
  '["https://b.example/x","de","2026-11-17T12:00:00Z"]',
  '"quoted words"',
  '{broken',
  '{"a":"50% off"}',
  '[]',
  nested(8, '1'),
  'at 12:30',
  '12:30-14:00',
  'https://b.example/a/b',
  'https://b.example/?max_tokens=100',
  `https://b.example/?token=${ADDRESS}`,
  'https%3A%2F%2Fb.example%2Fa%3Fq%3D1',
  'auth://callback',
  'eip155:8453',
  'eip155:1:address',
  'urn:isbn:9783161484100',
  'did:key:z6Mk',
  'module::token::Token',
  'sort:asc',
  'token:asc,email:desc',
  'name: Berlin',
  'Note: the author is Smith',
  'max_tokens: 100',
  'send Authorization: Bearer <your key>',
  'login(password: string): boolean',
  '**Seed:** none',
  'is:open label:bug author:smith',
  'price: 5 USD; unit=kg',
  'ratio 16:9',
  'C:/data/file',
  'a == b && c != d',
  'the npm_packages of 2026',
  'api_key_concepts',
  'top-10-key-trends-for-2026',
  'what is a bearer bond',
  'a task-sk-learn-tutorial',
  'the Asian markets in ASIA',
  '100%25',
  'it is the best of times and the worst of times for all of us, said the author of this book',
  'cheap hotels near the beach with free parking and large rooms for families and dogs',
];

/** Shown where the URL is public anyway. */
const DOUBTFUL: readonly [string, string][] = [
  ['a UUID in JSON', '{"id":"5f0c6a3e-8d1b-4c2f-9a7e-1b2c3d4e5f60"}'],
  ['an address of a person in JSON', '{"q":"person@example.com"}'],
  ['a coin', '{"token":"USDC"}'],
  ['a coin of Solana', `{"token":"${SOLANA}"}`],
  ['a coin in text', 'token: USDC'],
  ['a symbol of a coin', '{"token_symbol":"USDC"}'],
  ['members of a secret object', '{"credentials":{"value":"hunter"}}'],
  ['JSON that is too deep to be read', nested(9, '1')],
  ['a heading in text', 'key: concepts'],
  ['a status in text', 'code: 404'],
  ['a program or an OAuth code', '{"code":"print(1)"}'],
  ['a run of short words that is longer than a seed phrase', `check wallet: please restore ${SEED}`],
];

const ORIGINS = ['listed', 'unlisted'] as const;
const shown = (href: string) => ORIGINS.map((origin) => redactUrl(href, origin));
const inQuery = (value: string) => `https://a.example/x?input=${encodeURIComponent(value)}&n=1`;
const inPath = (value: string) => `https://a.example/x/${encodeURIComponent(value)}/y`;

describe('a secret inside a value is hidden (G53)', () => {
  it.each(SECRETS)('%s', (_, value) => {
    const hidden = ['https://a.example/x?input=REDACTED&n=1', 'https://a.example/x/REDACTED/y'];
    expect(shown(inQuery(value))).toEqual([hidden[0], hidden[0]]);
    expect(shown(inPath(value))).toEqual([hidden[1], hidden[1]]);
    expect([inQuery(value), inPath(value)].map(holdsCredential)).toEqual([true, true]);
  });

  it('in a part without a name, whose text has an equals sign', () => {
    const hidden = 'https://a.example/x?REDACTED&n=1';
    expect(shown('https://a.example/x?{"apiKey":"c2VjcmV0=="}&n=1')).toEqual([hidden, hidden]);
    expect(shown('https://a.example/x?sk_live_abcdefgh=1&n=1')).toEqual([hidden, hidden]);
  });
});

describe('a value without secrets is shown', () => {
  it.each(HARMLESS)('%s', (value) => {
    for (const href of [inQuery(value), inPath(value)]) {
      expect(shown(href)).toEqual([href, href]);
      expect(holdsCredential(href)).toBe(false);
    }
  });
});

describe('what may be a secret inside a value is shown where the URL is public anyway', () => {
  it.each(DOUBTFUL)('%s', (_, value) => {
    const [listed, unlisted] = shown(inQuery(value));
    expect([listed, unlisted]).toEqual([inQuery(value), 'https://a.example/x?input=REDACTED&n=1']);
  });
});

describe('a number under a name with "token" or "seed"', () => {
  it.each([
    ...[
      'token',
      'tokens',
      'max_tokens',
      'maxOutputTokens',
      'max_completion_tokens',
      'token_count',
      'token_id',
    ],
    ...['tokenId', 'token0', 'numTokens', 'tokens_per_minute', 'seed', 'random_seed', 'maxtokens'],
  ])('%s is a count or an id', (name) => {
    const href = `https://a.example/?${name}=1234`;
    expect(shown(href)).toEqual([href, href]);
  });

  it.each([
    ...[
      'token_pin',
      'usertoken',
      'access_token',
      'auth_token',
      'csrfToken',
      'session_tokens',
      'token_secret',
    ],
    ...['seedphrase', 'seed_pin', 'wallet_seed', 'id_token_hint', 'token_key', 'max_key', 'pin'],
  ])('%s is a secret', (name) => {
    const hidden = `https://a.example/?${name}=REDACTED`;
    expect(shown(`https://a.example/?${name}=12345678`)).toEqual([hidden, hidden]);
  });
});
