import { describe, expect, it } from 'vitest';
import { databaseFault } from './database-fault.ts';
import { LedgerFault } from './ledger-fault.ts';

describe('a fault of a database', () => {
  it.each<[string, Error, string]>([
    ['SQLite without room', new Error('database or disk is full'), 'the disk is full'],
    [
      'PostgreSQL without room',
      new Error('could not extend file: No space left on device'),
      'the disk is full',
    ],
    ['a folder without room', new Error('ENOSPC: no space left on device, open'), 'the disk is full'],
    ['another file', new Error('file is not a database'), 'it is no SQLite file'],
    ['a damaged file', new Error('database disk image is malformed'), 'it is damaged'],
    ['a long lock', new Error('database is locked'), 'another process has kept it locked for too long'],
    [
      'a long lock of the server',
      new Error('canceling statement due to statement timeout'),
      'another process has kept it locked for too long',
    ],
    ['a file for reading', new Error('attempt to write a readonly database'), 'it may not be written'],
    ['a folder for reading', new Error("EACCES: permission denied, open '/x'"), 'it may not be written'],
    ['a missing folder', new Error('unable to open database file'), 'the file cannot be opened'],
    [
      'all addresses of a host',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'the server does not answer',
    ],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 'the server does not answer'],
    [
      'a wrong password',
      new Error('password authentication failed for user "x"'),
      'the server does not let us in',
    ],
    ['our own words', new LedgerFault('it is closed'), 'it is closed'],
    ['anything else', new Error('something with a secret'), 'it cannot be read or written'],
  ])('is told in our words: %s', (_, cause, words) => {
    const fault = databaseFault('the ledger x', cause);
    expect(fault.message).toBe(`the ledger x: ${words}`);
    expect(fault).toMatchObject({ name: 'LedgerFault', cause });
  });
});
