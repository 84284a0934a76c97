import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/main/config/config.ts';

const DATABASE_URL = 'postgres://host/db';
const DATABASE_READ_URL = 'postgresql://standby/db';

describe('the read replica', () => {
  it('is the standby of a database', () => {
    const reading = readConfig({ DATABASE_URL, DATABASE_READ_URL });
    expect(reading).toMatchObject({
      config: { databaseUrl: DATABASE_URL, databaseReadUrl: DATABASE_READ_URL },
    });
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    [
      'of the embedded store',
      { DATABASE_READ_URL },
      'DATABASE_READ_URL needs DATABASE_URL, the database that it follows',
    ],
    [
      'that is no PostgreSQL',
      { DATABASE_URL, DATABASE_READ_URL: 'mysql://standby/db' },
      'DATABASE_READ_URL must begin with postgres://',
    ],
  ])('%s is refused by name', (_, environment, problem) => {
    expect(readConfig(environment)).toEqual({ kind: 'invalid', problem });
  });
});
