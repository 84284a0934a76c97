import { environment } from './config.ts';

/** Whether a terminal may be coloured: https://no-color.org, and terminals that say that they cannot. */
export function mayColour(): boolean {
  const { NO_COLOR = '', TERM = '' } = environment();
  return NO_COLOR === '' && TERM !== 'dumb';
}
