/** How a command may decorate its output. */
export interface TerminalSettings {
  readonly colour: 'auto' | 'always' | 'never';
  /** False where a bar that redraws itself would be noise. */
  readonly progress: boolean;
}

/** NO_COLOR overrides FORCE_COLOR, and both override what the terminal can do. */
export function readTerminal({ NO_COLOR, FORCE_COLOR, TERM, CI }: NodeJS.ProcessEnv): TerminalSettings {
  const isPlain = isSet(NO_COLOR);
  const progress = !isPlain && !isSet(CI) && TERM !== 'dumb';
  if (isPlain || FORCE_COLOR === '0' || FORCE_COLOR === 'false') return { colour: 'never', progress };
  if (isSet(FORCE_COLOR)) return { colour: 'always', progress };
  return { colour: TERM === 'dumb' ? 'never' : 'auto', progress };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
