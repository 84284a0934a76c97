import { environment } from './config.ts';

/** Whether a terminal may be coloured: https://no-color.org, and terminals that say that they cannot. */
export function mayColour({ NO_COLOR = '', TERM = '' }: NodeJS.ProcessEnv = environment()): boolean {
  return NO_COLOR === '' && TERM !== 'dumb';
}
