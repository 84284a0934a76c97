import { expect, it } from 'vitest';
import { readConfig } from '../../../src/main/config/config.ts';

it.each<[setting: string, value: string, expected: object]>([
  // A path is appended to it: with the blank no sale would ever be verified.
  [
    'FACILITATOR_URL',
    'https://pay.example.com/x402 ',
    { facilitator: { url: 'https://pay.example.com/x402' } },
  ],
  ['FACILITATOR_URL', ' https://pay.example.com', { facilitator: { url: 'https://pay.example.com' } }],
  ['RPC_URL', 'https://node.example.com/key\t', { node: { url: 'https://node.example.com/key' } }],
])('%s is read without the blanks around it', (setting, value, expected) => {
  expect(readConfig({ [setting]: value })).toMatchObject({ kind: 'config', config: expected });
});

it.each([' ', 'data ', ' data', 'data\n'])('DATA_DIR=%j is no folder: it would be another store', (value) => {
  expect(readConfig({ DATA_DIR: value })).toEqual({
    kind: 'invalid',
    problem: 'DATA_DIR must be a folder, without blanks around its name',
  });
});
