import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from '../../config/config.ts';
import { PACKAGE, PROGRAM } from '../own-program.ts';
import type { Command, Said } from './steps.ts';

const LONGEST_MS = 30_000;
const TEXT_MAX_CHARS = 20_000;

/** What a person would type for it. */
export function shownCommand(command: Command): string {
  return command.kind === 'assay'
    ? `$ npx assay ${command.words.join(' ')}`
    : `$ node --input-type=module <<'END'\n${command.script}\nEND`;
}

/** Runs it as a process of its own, which leaves nothing in the user's folders. */
export async function runCommandOf(
  command: Command,
  { folder, stop }: { readonly folder: string; readonly stop: AbortSignal },
): Promise<Said> {
  const words = command.kind === 'assay' ? [PROGRAM, ...command.words] : ['--input-type=module', '-'];
  const { PATH } = environment();
  const child = spawn(process.execPath, words, {
    cwd: PACKAGE,
    env: { PATH, HOME: folder, XDG_CONFIG_HOME: folder },
    signal: stop,
    timeout: LONGEST_MS,
  });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said.text = `${said.text}${chunk}`.slice(0, TEXT_MAX_CHARS);
    });
  }
  // A child that has ended reads no more.
  child.stdin.on('error', () => {});
  child.stdin.end(command.kind === 'script' ? command.script : '');
  try {
    const [code] = await once(child, 'close');
    return { code: typeof code === 'number' ? code : null, text: said.text };
  } catch (fault) {
    return { code: null, text: `${said.text}${String(fault)}` };
  }
}
