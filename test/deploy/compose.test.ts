import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { isCommandName } from '../../src/cli/command-table.ts';
import { readArguments } from '../../src/cli/read-arguments.ts';
import { readVerifyConfig } from '../../src/main/config/verify-config.ts';
import { projectFile } from '../../tools/project-file.ts';

const read = (name: string) => readFileSync(projectFile(`deploy/${name}`), 'utf8');

const settings = z.record(z.string(), z.string());
const service = z.object({
  image: z.string(),
  command: z.array(z.string()).default(['serve']),
  user: z.string(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  mem_limit: z.string(),
  pids_limit: z.number(),
  restart: z.string(),
  stop_grace_period: z.string(),
  env_file: z.array(z.string()).default([]),
  environment: settings.default({}),
  profiles: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ disable: z.boolean().default(false) }).optional(),
});
const compose = z
  .object({
    services: z.record(z.string(), service),
    networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
  })
  .parse(parse(read('compose.yaml'), { merge: true }));
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.includes('ASSAY_IMAGE'));
const networksOf = (name: string) => {
  const networks = compose.services[name]?.networks ?? [];
  return Array.isArray(networks) ? networks : Object.keys(networks);
};

/** Names and values, as compose and systemd read them. */
function readEnvironment(name: string): Record<string, string> {
  const lines = read(name)
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
}

/** The keys of the schemas that read the environment. */
const KNOWN = new Set(
  ['config', 'verify-config'].flatMap((name) =>
    [...readFileSync(projectFile(`src/main/config/${name}.ts`), 'utf8').matchAll(/^ {4}([A-Z_]+): /gm)].map(
      ([, key]) => key,
    ),
  ),
);

describe.each(services)('%s in compose.yaml', (name, one) => {
  it('is hardened and bounded', () => {
    expect(one).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
    });
  });

  it('has an image with its whole version', () => {
    expect(one.image).toMatch(/:-[^:}]+:\d+\.\d+(?:\.\d+)?(?:-\w+)?\}$/);
  });

  it('is published only if it is the proxy, which does not see the store', () => {
    expect(one.ports.length > 0).toBe(name === 'proxy');
    if (name === 'proxy') expect(networksOf(name)).toEqual(['front']);
  });

  it('has no secret in this file', () => {
    for (const key of Object.keys(one.environment)) expect(key).not.toMatch(/SECRET|KEY|PASSWORD|URL|AUTH/);
  });
});

describe.each(ours)('%s in compose.yaml', (name, one) => {
  it('runs a command of the program', () => {
    const [command = '', ...argv] = one.command;
    if (!isCommandName(command)) throw new Error(`${command} is no command`);
    expect(readArguments(command, argv).kind).toBe('arguments');
  });

  it('sets what the program knows', () => {
    for (const key of Object.keys(one.environment)) expect(KNOWN).toContain(key);
  });

  it('has a health check exactly if it listens', () => {
    expect(one.healthcheck?.disable === true).toBe(!['service-a', 'service-b', 'witness'].includes(name));
  });

  it('has enough time to stop', () => {
    const drain = Number(one.environment['DRAIN_SECONDS'] ?? 0);
    expect(Number.parseInt(one.stop_grace_period, 10)).toBeGreaterThan(drain + 10);
  });
});

describe('compose.yaml', () => {
  it('has PostgreSQL in a network without a way out', () => {
    expect(networksOf('database')).toEqual(['store']);
    expect(compose.networks['store']).toEqual({ internal: true });
  });

  it('gives each service its own volume', () => {
    expect(compose.services['service-a']?.volumes[0]).toBe('service-a:/data');
    expect(compose.services['service-b']?.volumes[0]).toBe('service-b:/data');
  });

  it.each(['service-a', 'service-b', 'worker'])(
    'gives %s the files that VANTAGES and LOG_POLICY name',
    (name) => {
      expect(compose.services[name]?.volumes).toContain('./policy:/etc/assay:ro');
    },
  );

  it('asks for a key of the log, which can be rotated only if it does not come from the secret', () => {
    expect(readEnvironment('assay.env.example')).toHaveProperty('LOG_KEY');
  });

  it('gives the key that pays for gas to one process, and not by the shared file', () => {
    const withKey = services.filter(([, { env_file }]) => env_file.includes('gas.env'));
    expect(withKey.map(([name]) => name)).toEqual(['service-a']);
    expect(readEnvironment('gas.env.example')).toEqual({ GAS_KEY: '' });
    expect(readEnvironment('assay.env.example')).not.toHaveProperty('GAS_KEY');
    expect(read('assay.env.example')).toMatch(/GAS_KEY in gas\.env/);
  });

  it('keeps the key of paid calls and the witness away until they are wanted', () => {
    const withProfile = services.filter(([, { profiles }]) => profiles.length > 0).map(([name]) => name);
    expect(withProfile).toEqual(['verify', 'witness']);
    const withKey = services.filter(([, { env_file }]) => env_file.includes('verify.env'));
    expect(withKey.map(([name]) => name)).toEqual(['verify']);
    expect(compose.services['witness']?.env_file).toEqual([]);
  });
});

describe('the examples of environment files', () => {
  const all = {
    ...readEnvironment('assay.env.example'),
    ...readEnvironment('gas.env.example'),
    ...readEnvironment('verify.env.example'),
  };

  it('name settings that the program knows', () => {
    for (const key of Object.keys(all)) expect(KNOWN).toContain(key);
  });

  it('have what several processes need, and no secret', () => {
    for (const key of ['SECRET', 'BASE_URL', 'DATABASE_URL', 'PAY_TO', 'CONTACT'])
      expect(all).toHaveProperty(key);
    for (const key of ['SECRET', 'BUYER_KEY', 'SELF_TEST_KEY', 'FACILITATOR_AUTH']) expect(all[key]).toBe('');
  });

  it('are accepted as they are, but for the secret', () => {
    expect(readVerifyConfig({ ...all, SECRET: 's'.repeat(64) }).kind).toBe('config');
  });

  it('have the settings of PostgreSQL that its address names', () => {
    const { POSTGRES_USER, POSTGRES_DB } = readEnvironment('postgres.env.example');
    const url = new URL(all['DATABASE_URL'] ?? '');
    expect([url.username, url.pathname, url.hostname]).toEqual([
      POSTGRES_USER,
      `/${POSTGRES_DB}`,
      'database',
    ]);
  });

  it('are not what git keeps', () => {
    const ignored = readFileSync(projectFile('.gitignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['deploy/*.env', 'deploy/tls/', 'deploy/sites/']));
    expect(readdirSync(projectFile('deploy')).filter((name) => name.endsWith('.example'))).toHaveLength(4);
  });
});
