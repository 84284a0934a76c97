import { buildLikeNames } from '../core/catalog/name-likeness.ts';
import { COMMANDS } from './command-table.ts';
import { plainText } from './show/plain-text.ts';

/** True where a person wants to know more instead of doing it. */
export function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => word === '--help' || word === '-h');
}

/** All commands, a line each. */
export function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, says }) => `  ${name.padEnd(width)}  ${says}`);
  return `usage: assay [command]\n\n${lines.join('\n')}\n\nassay <command> --help says more.`;
}

/** What to say of a word that is no command. */
export function unknownCommand(word: string): string {
  const [nearest] = buildLikeNames(COMMANDS.map(({ name }) => name)).nearest(word.slice(0, 64), 1);
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return `no command has the name "${plainText(word).slice(0, 64)}"${hint}`;
}
