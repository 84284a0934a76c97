import { describe, expect, it } from 'vitest';
import { holdsCredential, redactUrl } from './redact-url.ts';

const LETTERS = 'aZ3kQ9xT1mB7vR5cW2nL8yP4gH6jD';
/** As many characters as a real key has, mixed as in a real key, and the key of nobody. */
const mixed = (length: number) => LETTERS.repeat(4).slice(0, length);
const hex = (length: number) => 'a3f09c1e7b52d846'.repeat(8).slice(0, length);
const digits = (length: number) => '7314902586'.repeat(4).slice(0, length);
const capitals = (length: number) => 'Q7XK2MZ9RT4B'.repeat(4).slice(0, length);
const WORDS =
  'legal winner thank year wave sausage worth useful legal winner thank yellow fabric ocean tiger mango river stone cloud piano zebra lemon eagle actor';
const words = (count: number) => WORDS.split(' ').slice(0, count).join('%20');

const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Each of them in a path and under a harmless name. */
const SECRETS: readonly [string, string][] = [
  ['a node key of 32 mixed characters', mixed(32)],
  ['a node key with hyphens and underscores', `${mixed(14)}-${mixed(9)}_${mixed(7)}`],
  ['a node key in hexadecimal', hex(32)],
  ['a node key of 40 hexadecimal digits', hex(40)],
  ['a chat bot', `bot${digits(9)}:AA${mixed(33)}`],
  ['a chat bot without the word', `${digits(10)}:AA${mixed(33)}`],
  ['the token of a chat hook', mixed(24)],
  ['the token of another chat hook', mixed(68)],
  ['the token of a chat account', `M${mixed(23)}.${mixed(6)}.${mixed(27)}`],
  ['a workspace token', `xoxb-${digits(11)}-${mixed(24)}`],
  ['a workspace app token', `xapp-1-${capitals(11)}-${digits(13)}`],
  ['a web token', `eyJhbGciOiJIUzI1NiJ9.eyJ${mixed(20)}.${mixed(20)}`],
  ['a live key of a payment vendor', `sk_live_${mixed(24)}`],
  ['a public key of a payment vendor', `pk_live_${mixed(24)}`],
  ['a restricted key of a payment vendor', `rk_live_${mixed(24)}`],
  ['the secret of a payment hook', `whsec_${mixed(32)}`],
  ['another payment vendor', `rzp_live_${mixed(14)}`],
  ['a third payment vendor', `sq0atp-${mixed(22)}`],
  ['a model vendor', `sk-proj-${mixed(40)}`],
  ['another model vendor', `sk-ant-api03-${mixed(40)}`],
  ['a fast model vendor', `gsk_${mixed(40)}`],
  ['a model hub', `hf_${mixed(34)}`],
  ['a model host', `r8_${mixed(37)}`],
  ['an answer engine', `pplx-${mixed(40)}`],
  ['a search vendor', `tvly-dev-${mixed(24)}`],
  ['a crawling vendor', `fc-${hex(32)}`],
  ['a chip vendor', `nvapi-${mixed(40)}`],
  ['one more model vendor', `xai-${mixed(40)}`],
  ['a code host', `ghp_${mixed(36)}`],
  ['a fine-grained token of a code host', `github_pat_${mixed(22)}_${mixed(40)}`],
  ['another code host', `glpat-${mixed(20)}`],
  ['a package registry', `npm_${mixed(36)}`],
  ['another package registry', `pypi-AgEI${mixed(40)}`],
  ['an image registry', `dckr_pat_${mixed(27)}`],
  ['a cloud access key', `AKIA${capitals(16)}`],
  ['a cloud session key', `ASIA${capitals(16)}`],
  ['a cloud API key', `AIza${mixed(35)}`],
  ['a cloud access token', `ya29.${mixed(40)}`],
  ['a cloud refresh token', `1%2F%2F0${mixed(40)}`],
  ['a small cloud', `dop_v1_${hex(64)}`],
  ['a data platform', `dapi${hex(32)}`],
  ['a vault', `hvs.${mixed(24)}`],
  ['a mail vendor', `SG.${mixed(22)}.${mixed(43)}`],
  ['another mail vendor', `key-${hex(32)}`],
  ['a telephone account', `AC${hex(32)}`],
  ['a telephone key', `SK${hex(32)}`],
  ['a shop', `shpat_${hex(32)}`],
  ['a tracker of issues', `lin_api_${mixed(40)}`],
  ['another tracker', `ATATT3${mixed(40)}`],
  ['notes', `ntn_${digits(11)}${mixed(35)}`],
  ['drawings', `figd_${mixed(40)}`],
  ['a dashboard', `glsa_${mixed(32)}_${hex(8)}`],
  ['a social network', `EAAG${mixed(40)}`],
  [
    'a private key of a wallet',
    `K${mixed(60)
      .replace(/[0OIl]/g, 'z')
      .slice(0, 51)}`,
  ],
  [
    'a key pair of Solana',
    mixed(100)
      .replace(/[0OIl]/g, 'z')
      .slice(0, 88),
  ],
  ['an extended private key', `xprv9${mixed(106)}`],
  ['a key of a social protocol', `nsec1${'q7x2mz9rt4b'.repeat(6).slice(0, 58)}`],
  ['twelve seed words', words(12)],
  ['twenty-four seed words', words(24)],
  ['seed words with hyphens', words(12).replaceAll('%20', '-')],
  ['a bearer header', 'Bearer%20abc'],
  ['a basic header', 'Basic%20dXNlcjpwYXNz'],
  ['a link with a user', 'postgres%3A%2F%2Fuser%3Apw%40db%2Fx'],
  ['a link with a key inside', 'https%3A%2F%2Fb%2F%3Fapi_key%3DS'],
];

const NAMES: readonly [string, string][] = [
  ...['pk', 'pw', 'psw', 'passwd', 'privateKey', 'priv_key', 'mnemonic', 'seed', 'seed_phrase'],
  ...['appid', 'cookie', 'csrf', 'ticket', 'webhook', 'email', 'phone_number', 'iban', 'ssn', 'cvv'],
  ...['totp', 'jwt', 'x-api-key', 'recovery_code', 'wif', 'apiKey2'],
].map((name) => [name, 'hunter2']);

const HARMLESS: readonly string[] = [
  '/v1/weather/berlin',
  '/v2/chat/completions',
  '/api/x402/v2/prices',
  '/how-to-use-x402-payments-in-2026',
  '/OpenAI-GPT4-Turbo-2026-Preview',
  '/gpt-4o-mini-2024-07-18',
  '/claude-3-5-sonnet-20241022',
  '/meta-llama/Llama-3.3-70B-Instruct',
  '/stable-diffusion-xl-1024-v1-0',
  '/internationalization/accessibility',
  '/getTokenPriceByContractAddressAndNetwork',
  '/RetrieveHistoricalCandlesticks',
  '/WETH-USDC-0.05',
  '/BTC-USD/ohlcv/1h',
  '/2026-11-17/summary',
  '/2026/11/17/index.html',
  '/reports/Q3-2026.pdf',
  '/images/1024x768/cat.png',
  '/latest.json',
  '/blocks/21345678',
  '/users/1234567890123456789',
  `/balance/${ADDRESS}`,
  `/token/${SOLANA}`,
  `/wallets/${SOLANA}/transfers`,
  `/tx/0x${hex(64)}`,
  `/commit/${hex(40)}`,
  `/ipfs/Qm${mixed(60)
    .replace(/[0OIl]/g, 'z')
    .slice(0, 44)}`,
  `/ipfs/bafybei${'q2x7mzrtb'.repeat(8).slice(0, 52)}`,
  '/eip155:8453/quote',
  '/isbn/978-3-16-148410-0',
  '/docs/rfc9110',
  '/sk-learn-tutorials/bearer-bonds',
  '/key-concepts/secret-garden',
  '?q=weather&limit=5',
  '?q=how+to+cook+rice',
  '?q=x402%20micropayments%20on%20Base',
  '?city=New%20York&units=metric',
  '?lat=52.5200&lon=13.4050',
  '?from=2026-11-01&to=2026-11-17',
  '?since=2026-11-17T12%3A00%3A00Z',
  '?symbols=BTC,ETH,SOL',
  '?pair=ETH-USDC&interval=15m',
  '?country_code=DE',
  '?max_tokens=100',
  '?seed=42',
  '?monkey=1&turkey=2&author=smith',
  `?token=${ADDRESS}`,
  `?address=${SOLANA}`,
  `?mint=${SOLANA}`,
  `?wallet=${ADDRESS}&chain=8453`,
  `?tx=0x${hex(64)}`,
  `?sha256=${hex(64)}`,
  `?blockhash=${hex(64)}`,
  '?network=eip155:8453',
  '?page=2&per_page=50&sort=desc',
  '?model=gpt-4o-mini',
  '?lang=en-US&tz=Europe%2FBerlin',
  '?ids=1,2,3,4,5,6,7,8,9,10',
  '?to=https%3A%2F%2Fb%2F%3Fq%3D1',
  '?color=%23ff8800',
  '?ip=203.0.113.7',
  '?version=1.2.3-beta.4',
  '?filter=price%3E10',
  '?amount=1000000&decimals=6',
  '?isin=US0378331005',
  '?vin=none',
];

const DOUBTFUL: readonly string[] = [
  '/orders/5f0c6a3e-8d1b-4c2f-9a7e-1b2c3d4e5f60',
  '?id=5f0c6a3e-8d1b-4c2f-9a7e-1b2c3d4e5f60',
  `?x=0x${hex(64)}`,
  `?x=${SOLANA}`,
  `/x/${SOLANA}`,
  '?token=USDC',
  `?token=${SOLANA}`,
  '?x=k3Yz9Qp2Lm7T',
  '?user=person%40example.com',
  '?to=person%40example.com',
];

const ORIGINS = ['listed', 'unlisted'] as const;
const shown = (href: string) => ORIGINS.map((origin) => redactUrl(href, origin));

describe('secrets are hidden by their shape (G53)', () => {
  it('there are many', () => expect(SECRETS.length + NAMES.length).toBeGreaterThanOrEqual(60));

  it.each(SECRETS)('%s', (_, secret) => {
    const hidden = ['https://a.example/v2/REDACTED/x', 'https://a.example/x?q=REDACTED&n=1'];
    expect(shown(`https://a.example/v2/${secret}/x`)).toEqual([hidden[0], hidden[0]]);
    expect(shown(`https://a.example/x?q=${secret}&n=1`)).toEqual([hidden[1], hidden[1]]);
    const holding = [`https://a.example/v2/${secret}/x`, `https://a.example/x?q=${secret}#n`];
    expect(holding.map(holdsCredential)).toEqual([true, true]);
  });

  it.each(NAMES)('%s by its name', (name, value) => {
    const hidden = `https://a.example/x?${name}=REDACTED`;
    expect(shown(`https://a.example/x?${name}=${value}`)).toEqual([hidden, hidden]);
    // As a parameter it is a credential, also as a word.
    const word = `https://a.example/x?${name}=hunter`;
    expect([...shown(word), holdsCredential(word)]).toEqual([hidden, hidden, true]);
  });

  it('a private key by its name, although a transaction looks the same', () => {
    expect(shown(`https://a.example/?pk=0x${hex(64)}`)[0]).toBe('https://a.example/?pk=REDACTED');
  });
});

describe('what only looks like a secret is shown', () => {
  it('there is as much of it', () => expect(HARMLESS.length).toBeGreaterThanOrEqual(60));

  it.each(HARMLESS)('%s', (rest) => {
    const href = `https://a.example${rest}`;
    expect(shown(href)).toEqual([href, href]);
  });
});

describe('what may be either is shown where the URL is public anyway', () => {
  it.each(DOUBTFUL)('%s', (rest) => {
    const href = `https://a.example${rest}`;
    const [listed, unlisted] = shown(href);
    expect(listed).toBe(href);
    expect(unlisted).toContain('REDACTED');
  });
});
