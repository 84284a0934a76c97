import { setTimeout as sleep } from 'node:timers/promises';
import type { Paint } from '../../../cli/show/paint.ts';
import type { Output } from '../../commands/output.ts';
import { shownCommand } from './run-command-of.ts';
import type { Command, Said, Step } from './steps.ts';

const NEXT = `WHAT NEXT
  npx assay sandbox    the same world to play with: open it in a browser, point your own agent at it
  npm start            a real service; it says what is on and what is off
  docs/guard.md        the guard around your own payer
  docs/mcp.md          Assay in Claude, Cursor, VS Code and Windsurf`;

export interface Walk {
  readonly output: Output;
  readonly paint: Paint;
  readonly run: (command: Command) => Promise<Said>;
  readonly stop: AbortSignal;
}

const STOPPED = 130;

/** Runs the steps in order, until one does not do what it says. Returns the exit code. */
export async function walkSteps(steps: readonly Step[], { output, paint, run, stop }: Walk): Promise<number> {
  const said: Said[] = [];
  for (const [index, step] of steps.entries()) {
    if (stop.aborted) return STOPPED;
    const { title, why, holds } = step;
    const command = step.command(said);
    output.print(
      `\n${paint.strong(`${index + 1} of ${steps.length}  ${title}`)}\n${why}\n\n${paint.dim(shownCommand(command))}`,
    );
    const heard = await untilReady(step, () => run(command), stop);
    said.push(heard);
    output.print(heard.text.trimEnd());
    if (stop.aborted) return STOPPED;
    if (!holds(heard))
      return output.fail(`step ${index + 1} did not do what it says (exit code ${heard.code})`);
  }
  output.print(`\n${NEXT}`);
  return 0;
}

const TRIES = 20;
const PAUSE_MS = 500;

async function untilReady(
  { isEarly = () => false }: Step,
  run: () => Promise<Said>,
  stop: AbortSignal,
): Promise<Said> {
  for (let tries = 1; ; tries += 1) {
    const said = await run();
    if (!isEarly(said) || tries === TRIES || stop.aborted) return said;
    await sleep(PAUSE_MS, undefined, { signal: stop }).catch(() => {});
  }
}
