import type { Step, StepState } from '../../core/verify/step.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Paint } from '../show/paint.ts';
import { cellsOf, plainText } from '../show/plain-text.ts';
import type { View } from '../show/terminal-card.ts';

const WORDS: Readonly<Record<StepState, string>> = {
  ok: 'ok',
  failed: 'FAILED',
  not_yet: 'not yet',
  not_checked: 'not checked',
};

const NAME_CELLS = 11;
const STATE_CELLS = 14;

/** A line for each step: what was verified, what was found, and whether it holds. A long sentence is wrapped, never cut. */
export function stepLines(steps: readonly Step[], { paint, columns }: View): readonly string[] {
  const room = Math.max(0, columns - NAME_CELLS - STATE_CELLS - 2);
  const widest = Math.max(...steps.map(({ says }) => cellsOf(plainText(says))));
  const width = Math.min(room, widest);
  return steps.map(({ name, says, state }) => {
    const text = plainText(says);
    const padding = ' '.repeat(Math.max(0, width - cellsOf(text)));
    return `  ${name.padEnd(NAME_CELLS)} ${text}${padding}  ${painted(state, paint)}`;
  });
}

function painted(state: StepState, paint: Paint): string {
  const word = WORDS[state];
  if (state === 'failed') return paint.bad(word);
  return state === 'ok' ? paint.good(word) : paint.dim(word);
}

const NOTE_LINES_MAX = 40;

/** A signed note for a person; its exact bytes are in the evidence. */
export function noteLines(note: string): readonly string[] {
  return ['', ...note.trimEnd().split('\n').slice(0, NOTE_LINES_MAX).map(plainText)];
}

/** Only a failed proof is loud. What could not be checked changes nothing. */
export function stepsExit(steps: readonly Step[]): ExitCode {
  if (steps.some(({ state }) => state === 'failed')) return EXIT.disproved;
  return steps.some(({ state }) => state === 'not_yet') ? EXIT.recheck : EXIT.done;
}
