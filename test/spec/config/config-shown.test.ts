import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/main/config/config.ts';
import { shownConfig } from '../../../src/main/config/shown-config.ts';

const WALLET = '0x1111111111111111111111111111111111111111';

function config(environment: NodeJS.ProcessEnv) {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return reading.config;
}

describe('the settings as they are logged', () => {
  const HIDDEN = {
    DATABASE_URL: 'postgres://user:hunter2@host/db',
    DATABASE_READ_URL: 'postgres://user:hunter2@host/db',
    SECRET: 'hunter2-hunter2-hunter2',
    SELF_TEST_KEY: 'hunter2-hunter2-hunter3',
    FACILITATOR_URL: 'https://pay.example.com/hunter2',
    FACILITATOR_AUTH: 'hunter2',
    RPC_URL: 'https://node.example.com/hunter2',
  };

  it('show that a secret is set, and nothing of it', () => {
    const shown = shownConfig(config({ ...HIDDEN, PORT: '1', PAY_TO: WALLET }));
    expect(shown).toMatchObject({
      databaseUrl: 'set',
      databaseReadUrl: 'set',
      secret: 'set',
      selfTestKey: 'set',
      port: 1,
      payTo: WALLET,
      facilitator: 'https://pay.example.com',
      node: 'https://node.example.com',
    });
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|user|host\/db/);
  });

  it('show that payments are settled here, and nothing of the key', () => {
    const GAS_KEY = `0x${'ab'.repeat(32)}`;
    const shown = shownConfig(config({ GAS_KEY, RPC_URL: 'http://127.0.0.1:8545' }));
    expect(shown).toMatchObject({ facilitator: 'built in', node: 'http://127.0.0.1:8545' });
    expect(JSON.stringify(shown)).not.toContain('abab');
  });

  it('show that none is set', () => {
    expect(shownConfig(config({}))).toMatchObject({ databaseUrl: null, secret: null, selfTestKey: null });
  });

  it('show every other setting as it is', () => {
    expect(shownConfig(config({}))).toEqual({
      ...config({}),
      facilitator: 'https://facilitator.payai.network',
      node: 'https://mainnet.base.org',
      vantages: { file: null, fromPrice: '0.1', clientName: 'localhost/vantages' },
    });
  });

  it('show no number that JSON does not have', () => {
    expect(JSON.stringify(shownConfig(config({ VANTAGE_FROM_USD: '1.5' })))).toContain('"fromPrice":"1.5"');
  });
});

describe('the environment', () => {
  it('what is not ours in it is not looked at', () => {
    expect(readConfig({ PATH: '/bin', NODE_ENV: 'production', port: '1', constructor: 'x' })).toEqual(
      readConfig({}),
    );
  });
});
