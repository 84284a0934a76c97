import { buildLikeNames } from '../core/catalog/name-likeness.ts';
import { COMMANDS } from './command-table.ts';
import { plainText } from './show/plain-text.ts';

/** All commands, a line each. */
export function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`);
  return `usage: assay [command]\n\n${lines.join('\n')}\n\nSee assay <command> --help.`;
}

/** The message for an unknown command, with the nearest name. */
export function unknownCommand(word: string): string {
  const [nearest] = buildLikeNames(Object.keys(COMMANDS)).nearest(word.slice(0, 64), 1);
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return `unknown command "${plainText(word).slice(0, 64)}"${hint}`;
}
