/** A fenced block of a Markdown document. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Of its first fence, counted from 1. */
  readonly line: number;
  /** From `<!-- not run: reason -->` on the line above; null: it is run. */
  readonly notRun: string | null;
}

/** One command of a block, with what the document prints below it. */
export interface Step {
  readonly command: string;
  /** Null: the document prints nothing, the command has to succeed. */
  readonly output: string | null;
  readonly line: number;
}

const FENCE = /^```([a-z]*)$/;
const NOT_RUN = /^<!-- not run: (.+) -->$/;
const PROMPT = '$ ';

export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, language] = FENCE.exec(lines[at] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`the block in line ${at + 1} does not end`);
    const [, notRun = null] = NOT_RUN.exec(lines[at - 1] ?? '') ?? [];
    blocks.push({ language, text: lines.slice(at + 1, end).join('\n'), line: at + 1, notRun });
    at = end;
  }
  return blocks;
}

/** `sh` is a script that has to succeed, `console` a session: what follows a command up to the next prompt is its output. */
export function stepsOf({ language, text, line }: Block): readonly Step[] {
  if (language === 'sh') return [{ command: text, output: null, line }];
  const steps: { command: string; output: string; line: number }[] = [];
  for (const [nth, one] of text.split('\n').entries()) {
    const last = steps.at(-1);
    if (one.startsWith(PROMPT)) {
      steps.push({ command: one.slice(PROMPT.length), output: '', line: line + nth + 1 });
    } else if (last === undefined) {
      throw new Error(`line ${line + nth + 1} is the output of no command`);
    } else if (last.output === '' && last.command.endsWith('\\')) {
      last.command += `\n${one}`;
    } else {
      last.output += `${one}\n`;
    }
  }
  return steps;
}
