import { expect, it } from 'vitest';
import { readTerminal } from './terminal-settings.ts';

it.each<[string, NodeJS.ProcessEnv, colour: string, progress: boolean]>([
  ['nothing is set', {}, 'auto', true],
  ['variables are empty', { NO_COLOR: '', FORCE_COLOR: '', CI: '' }, 'auto', true],
  ['NO_COLOR is set', { NO_COLOR: '1' }, 'never', false],
  ['NO_COLOR is set to anything', { NO_COLOR: '0' }, 'never', false],
  ['the terminal is dumb', { TERM: 'dumb' }, 'never', false],
  ['a CI runs it', { CI: 'true' }, 'auto', false],
  ['colours are forced', { FORCE_COLOR: '1' }, 'always', true],
  ['colours are forced off', { FORCE_COLOR: '0' }, 'never', true],
  ['colours are forced off in words', { FORCE_COLOR: 'false' }, 'never', true],
  ['colours are forced in a CI', { FORCE_COLOR: '3', CI: '1', TERM: 'dumb' }, 'always', false],
  ['NO_COLOR is stronger', { FORCE_COLOR: '1', NO_COLOR: '1' }, 'never', false],
])('when %s', (_, variables, colour, progress) => {
  expect(readTerminal(variables)).toEqual({ colour, progress });
});
