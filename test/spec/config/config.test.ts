import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/main/config/config.ts';

const WALLET = '0x1111111111111111111111111111111111111111';
const KEY = 'sixteen-letters!';
const ORIGIN = 'must be an address such as https://assay.example.com, without a path';
const PROXIES = 'must be addresses and CIDR blocks, such as 10.0.0.0/8';

function config(environment: NodeJS.ProcessEnv) {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return reading.config;
}

describe('the settings', () => {
  it('none at all is a service on this machine, without a wallet', () => {
    expect(config({})).toEqual({
      host: '127.0.0.1',
      port: 4402,
      dataDir: 'data',
      databaseUrl: null,
      databaseReadUrl: null,
      databasePool: 10,
      databaseWaitSeconds: 30,
      drainSeconds: 0,
      baseUrl: null,
      altUrl: null,
      legacyUrl: null,
      archiveUrl: null,
      payTo: null,
      facilitator: { kind: 'http', url: 'https://facilitator.payai.network', headers: {} },
      node: { url: 'https://mainnet.base.org', isChosen: false },
      selfTestKey: null,
      secret: null,
      trustedProxies: [],
      ownAddresses: [],
      mcpOrigins: [],
      crawl: 'off',
      blockedHosts: [],
      metricsHost: '127.0.0.1',
      metricsPort: null,
      logLevel: 'info',
      logFormat: null,
      transparency: {
        origin: 'localhost/log',
        isOriginSet: false,
        key: null,
        oldKey: null,
        policyFile: null,
      },
      vantages: { file: null, fromPrice: 100_000n, clientName: 'localhost/vantages' },
      contact: null,
      connectionsPerAddress: 200,
      requestsPerAddress: 20,
      readsPerAddressMinute: 1_200,
      ceilings: { lookup: 100, spot_check: 20, dry_run: 200 },
      paidChecksPerHour: 30,
      pricedProbesPerHour: 60,
      probesPerHostMinute: 30,
    });
  });

  it.each<[setting: string, value: string, expected: object]>([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['METRICS_HOST', '0.0.0.0', { metricsHost: '0.0.0.0' }],
    ['CONNECTIONS_PER_ADDRESS', '50', { connectionsPerAddress: 50 }],
    ['REQUESTS_PER_ADDRESS', '5', { requestsPerAddress: 5 }],
    ['READS_PER_ADDRESS_MINUTE', '600', { readsPerAddressMinute: 600 }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['DATA_DIR', '/var/lib/assay', { dataDir: '/var/lib/assay' }],
    ['DATABASE_URL', 'postgres://user:pass@host/db', { databaseUrl: 'postgres://user:pass@host/db' }],
    ['DATABASE_URL', 'postgresql://host/db', { databaseUrl: 'postgresql://host/db' }],
    ['DATABASE_POOL', '100', { databasePool: 100 }],
    ['DATABASE_WAIT_SECONDS', '0', { databaseWaitSeconds: 0 }],
    ['DRAIN_SECONDS', '15', { drainSeconds: 15 }],
    ['BASE_URL', 'https://assay.example.com', { baseUrl: 'https://assay.example.com' }],
    ['BASE_URL', 'https://Assay.Example.com:443/', { baseUrl: 'https://assay.example.com' }],
    ['BASE_URL', 'http://localhost:4402', { baseUrl: 'http://localhost:4402' }],
    ['ALT_URL', 'https://alt.example.com', { altUrl: 'https://alt.example.com' }],
    ['LEGACY_URL', 'https://old.example.com:8443', { legacyUrl: 'https://old.example.com:8443' }],
    ['PAY_TO', WALLET, { payTo: WALLET }],
    ['SELF_TEST_KEY', KEY, { selfTestKey: KEY }],
    ['SECRET', KEY.repeat(16), { secret: KEY.repeat(16) }],
    ['TRUSTED_PROXIES', '127.0.0.1', { trustedProxies: ['127.0.0.1'] }],
    ['TRUSTED_PROXIES', '10.0.0.0/8, fd00::/8 ::1', { trustedProxies: ['10.0.0.0/8', 'fd00::/8', '::1'] }],
    ['OWN_ADDRESSES', '198.51.100.7,2001:db8::7', { ownAddresses: ['198.51.100.7', '2001:db8::7'] }],
    ['MCP_ORIGINS', '*', { mcpOrigins: ['*'] }],
    ['MCP_ORIGINS', 'https://app.example.com', { mcpOrigins: ['https://app.example.com'] }],
    ['CRAWL', 'weekly', { crawl: 'weekly' }],
    ['BLOCKED_HOSTS', 'a.example, 192.0.2.0/24', { blockedHosts: ['a.example', '192.0.2.0/24'] }],
    ['METRICS_PORT', '9464', { metricsPort: 9_464 }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['LOG_FORMAT', 'text', { logFormat: 'text' }],
    ['CONTACT', 'mailto:ops@example.com', { contact: 'mailto:ops@example.com' }],
    ['CONTACT', 'https://example.com/contact', { contact: 'https://example.com/contact' }],
    ['FREE_LOOKUPS_PER_ADDRESS', '7', { ceilings: { lookup: 7, spot_check: 20, dry_run: 200 } }],
    ['FREE_CHECKS_PER_ADDRESS', '7', { ceilings: { lookup: 100, spot_check: 7, dry_run: 200 } }],
    ['DRY_RUNS_PER_ADDRESS', '7', { ceilings: { lookup: 100, spot_check: 20, dry_run: 7 } }],
    ['PAID_CHECKS_PER_HOUR', '7', { paidChecksPerHour: 7 }],
    [
      'FACILITATOR_URL',
      'https://pay.example.com/x402',
      { facilitator: { kind: 'http', url: 'https://pay.example.com/x402', headers: {} } },
    ],
    ['FACILITATOR_AUTH', 'a-token', { facilitator: { headers: { authorization: 'Bearer a-token' } } }],
    [
      'FACILITATOR_AUTH',
      'Basic dXNlcjpwYXNz',
      { facilitator: { headers: { authorization: 'Basic dXNlcjpwYXNz' } } },
    ],
    ['FACILITATOR_AUTH', 'X-Api-Key: abc', { facilitator: { headers: { 'x-api-key': 'abc' } } }],
    [
      'RPC_URL',
      'https://node.example.com/v1/key',
      { node: { url: 'https://node.example.com/v1/key', isChosen: true } },
    ],
    ['PRICED_PROBES_PER_HOUR', '0', { pricedProbesPerHour: 0 }],
    ['PROBES_PER_HOST_MINUTE', '999999999', { probesPerHostMinute: 999_999_999 }],
  ])('%s=%s', (setting, value, expected) => {
    expect(config({ [setting]: value })).toMatchObject(expected);
  });

  it.each<[setting: string, value: string, problem: string]>([
    ['PORT', 'http', 'must be a port number'],
    ['PORT', '-1', 'must be a port number'],
    ['PORT', '80.5', 'must be a port number'],
    ['PORT', ' 80', 'must be a port number'],
    ['PORT', '0x50', 'must be a port number'],
    ['PORT', '65536', 'must be at most 65535'],
    [
      'FACILITATOR_URL',
      'pay.example.com',
      'must be an http or https URL without a user name, query or fragment',
    ],
    [
      'RPC_URL',
      'https://user:pass@node.example.com',
      'must be an http or https URL without a user name, query or fragment',
    ],
    ['FACILITATOR_AUTH', 'two\nlines', 'must be printable characters'],
    ['GAS_KEY', '0x12', 'must be a private key: 0x and 64 hexadecimal digits'],
    ['GAS_KEY', 'ab'.repeat(32), 'must be a private key: 0x and 64 hexadecimal digits'],
    ['GAS_KEY', `0x${'ab'.repeat(32)}`, 'needs RPC_URL, a node of Base to settle on'],
    ['GAS_LIMIT_MAX', '21000', 'must be between 60000 and 30000000'],
    ['GAS_FEE_MAX_WEI', '1 gwei', 'must be a whole number'],
    ['CONTRACT_PAYERS', 'yes', 'must be refuse or allow'],
    ['METRICS_PORT', 'off', 'must be a port number'],
    ['METRICS_PORT', '99999', 'must be at most 65535'],
    ['DATABASE_URL', 'mysql://host/db', 'must begin with postgres://'],
    ['DATABASE_URL', 'file:assay.db', 'must begin with postgres://'],
    ['DATABASE_POOL', '0', 'must be between 1 and 100'],
    ['DATABASE_POOL', '101', 'must be between 1 and 100'],
    ['DATABASE_POOL', 'many', 'must be a whole number'],
    ['DATABASE_WAIT_SECONDS', '601', 'must be between 0 and 600'],
    ['DRAIN_SECONDS', '601', 'must be between 0 and 600'],
    ['BASE_URL', 'assay.example.com', ORIGIN],
    ['BASE_URL', 'https://assay.example.com/api', ORIGIN],
    ['BASE_URL', 'https://assay.example.com/?a=1', ORIGIN],
    ['BASE_URL', 'https://assay.example.com/#a', ORIGIN],
    ['BASE_URL', 'https://user:pass@assay.example.com', ORIGIN],
    ['BASE_URL', 'ftp://assay.example.com', ORIGIN],
    ['BASE_URL', 'javascript:alert(1)', ORIGIN],
    ['ALT_URL', 'https://', ORIGIN],
    ['LEGACY_URL', '//old.example.com', ORIGIN],
    ['PAY_TO', 'me', 'must be an EVM address that can receive USDC'],
    ['PAY_TO', WALLET.slice(0, -1), 'must be an EVM address that can receive USDC'],
    ['PAY_TO', `0x${'0'.repeat(40)}`, 'must be an EVM address that can receive USDC'],
    [
      'PAY_TO',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      'must be an EVM address that can receive USDC',
    ],
    ['PAY_TO', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'must be an EVM address that can receive USDC'],
    ['SELF_TEST_KEY', 'fifteen-letters', 'must be 16 to 256 printable characters without blanks'],
    ['SELF_TEST_KEY', 'with blanks in between', 'must be 16 to 256 printable characters without blanks'],
    ['SECRET', 'short', 'must be 16 to 256 printable characters without blanks'],
    ['SECRET', 'x'.repeat(257), 'must be 16 to 256 printable characters without blanks'],
    ['TRUSTED_PROXIES', 'proxy.internal', PROXIES],
    ['TRUSTED_PROXIES', '10.0.0.0/8,*', PROXIES],
    ['TRUSTED_PROXIES', '10.0.0.0/33', PROXIES],
    ['TRUSTED_PROXIES', '010.0.0.0/8', PROXIES],
    ['OWN_ADDRESSES', '198.51.100.7,own.example.com', 'must be IP addresses'],
    ['OWN_ADDRESSES', '198.51.100.0/24', 'must be IP addresses'],
    ['MCP_ORIGINS', 'app.example.com', 'must be * or web addresses such as https://app.example.com'],
    ['CRAWL', 'daily', 'must be off or weekly'],
    ['BLOCKED_HOSTS', 'https://a.example/', 'must be host names, addresses or networks'],
    ['LOG_LEVEL', 'loud', 'must be a level such as info'],
    ['LOG_LEVEL', 'INFO', 'must be a level such as info'],
    ['LOG_FORMAT', 'pretty', 'must be json or text'],
    ['CONTACT', 'ops@example.com', 'must begin with mailto: or https://'],
    ['CONTACT', 'mailto:ops@example.com\nExpires: never', 'must begin with mailto: or https://'],
    ['CONNECTIONS_PER_ADDRESS', '0', 'must be between 1 and 10000'],
    ['REQUESTS_PER_ADDRESS', '0', 'must be between 1 and 100000'],
    ['READS_PER_ADDRESS_MINUTE', '0', 'must be between 1 and 10000000'],
    ['FREE_LOOKUPS_PER_ADDRESS', '-1', 'must be a whole number'],
    ['FREE_CHECKS_PER_ADDRESS', '1.5', 'must be a whole number'],
    ['DRY_RUNS_PER_ADDRESS', 'Infinity', 'must be a whole number'],
    ['PRICED_PROBES_PER_HOUR', '1e9', 'must be a whole number'],
    ['PROBES_PER_HOST_MINUTE', 'no', 'must be a whole number'],
  ])('%s=%s is refused by name', (setting, value, problem) => {
    expect(readConfig({ [setting]: value })).toEqual({ kind: 'invalid', problem: `${setting} ${problem}` });
  });

  it.each(['SECRET', 'SELF_TEST_KEY', 'DATABASE_URL', 'GAS_KEY', 'RPC_URL'])(
    'a wrong %s is not repeated',
    (setting) => {
      expect(JSON.stringify(readConfig({ [setting]: 'hunter2' }))).not.toContain('hunter2');
    },
  );

  it('one settles here or elsewhere, not both', () => {
    const GAS_KEY = `0x${'ab'.repeat(32)}`;
    const here = { GAS_KEY, RPC_URL: 'http://127.0.0.1:8545' };
    expect(config(here).facilitator).toEqual({
      kind: 'built_in',
      gasKey: GAS_KEY,
      rpcUrl: 'http://127.0.0.1:8545',
      ceilings: { gas: 200_000n, feeWei: 2_000_000_000n },
      contractPayers: 'refuse',
    });
    expect(readConfig({ ...here, FACILITATOR_URL: 'https://pay.example.com' })).toEqual({
      kind: 'invalid',
      problem: 'GAS_KEY settles by itself and cannot be set together with FACILITATOR_URL',
    });
  });

  it('set to nothing is not set', () => {
    const all = Object.fromEntries(SETTINGS.map((name) => [name, '']));
    expect(readConfig(all)).toEqual(readConfig({}));
  });

  it('all mistakes are told in one line', () => {
    const problem =
      'PORT must be a port number; PAY_TO must be an EVM address that can receive USDC; LOG_LEVEL must be a level such as info';
    expect(readConfig({ LOG_LEVEL: 'loud', PORT: '-1', PAY_TO: 'me' })).toEqual({ kind: 'invalid', problem });
  });
});

const SETTINGS = [
  ...['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'BASE_URL', 'ALT_URL', 'LEGACY_URL', 'PAY_TO'],
  ...['SELF_TEST_KEY', 'MCP_ORIGINS', 'CRAWL', 'BLOCKED_HOSTS', 'SECRET', 'TRUSTED_PROXIES'],
  ...['OWN_ADDRESSES', 'METRICS_HOST', 'METRICS_PORT', 'LOG_LEVEL', 'LOG_FORMAT', 'CONTACT'],
  ...['CONNECTIONS_PER_ADDRESS', 'REQUESTS_PER_ADDRESS', 'READS_PER_ADDRESS_MINUTE'],
  ...['FREE_LOOKUPS_PER_ADDRESS', 'FREE_CHECKS_PER_ADDRESS', 'DRY_RUNS_PER_ADDRESS', 'FACILITATOR_URL'],
  ...['FACILITATOR_AUTH', 'RPC_URL', 'GAS_KEY', 'PAID_CHECKS_PER_HOUR', 'GAS_LIMIT_MAX', 'GAS_FEE_MAX_WEI'],
  ...['CONTRACT_PAYERS', 'PRICED_PROBES_PER_HOUR', 'LOG_ORIGIN', 'LOG_KEY', 'LOG_KEY_OLD', 'LOG_POLICY'],
  ...['VANTAGES', 'VANTAGE_FROM_USD', 'ARCHIVE_URL', 'PROBES_PER_HOST_MINUTE', 'DATABASE_READ_URL'],
  ...['DATABASE_POOL', 'DATABASE_WAIT_SECONDS', 'DRAIN_SECONDS'],
];
