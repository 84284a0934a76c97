import { buildLikeNames } from '../core/catalog/name-likeness.ts';
import { COMMANDS, GROUPS, isGroup } from './command-table.ts';
import { plainText } from './show/plain-text.ts';

/** All commands, a line each; those of a group have their own list. */
function overview(): string {
  const single = Object.entries(COMMANDS)
    .filter(([name]) => !name.includes(' '))
    .map(([name, { says }]): Line => [name, says]);
  return listing('assay <command>', [...single, ...Object.entries(GROUPS)], 'assay <command> --help');
}

function groupOverview(group: string): string {
  const lines = Object.entries(COMMANDS)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { says }]): Line => [name.slice(group.length + 1), says]);
  return listing(`assay ${group} <command>`, lines, `assay ${group} <command> --help`);
}

type Line = readonly [name: string, says: string];

function listing(usage: string, lines: readonly Line[], see: string): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  const rows = lines.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`);
  return `usage: ${usage}\n\n${rows.join('\n')}\n\nSee ${see}.`;
}

/** The message for an unknown command, with the nearest name; of a group, only its own are near. */
export function unknownCommand(typed: string): string {
  const [group = ''] = typed.split(' ');
  const before = typed.includes(' ') && isGroup(group) ? `${group} ` : '';
  const known = [...Object.keys(COMMANDS), ...Object.keys(GROUPS)]
    .filter((name) => name.startsWith(before))
    .map((name) => name.slice(before.length));
  const word = typed.slice(before.length);
  const near = buildLikeNames(known, LIKENESS_MIN).nearest(word.slice(0, 64), NEAR);
  // The first letter is rarely the wrong one.
  const nearest = near.find((name) => name[0] === word[0]);
  const hint = nearest === undefined ? '' : ` (did you mean ${before}${nearest}?)`;
  return `unknown command "${plainText(typed).slice(0, 64)}"${hint}`;
}

const NEAR = 5;
/** Two letters that changed places leave one pair of four: a typing error more often than a wish for something else. */
const LIKENESS_MIN = 0.25;

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

const VERSION: ReadonlySet<string> = new Set(['version', '--version', '-V', '-v']);

/** What was typed: the words of a command are one or two. */
export type Typed =
  | { readonly kind: 'version' }
  | { readonly kind: 'overview'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly argv: readonly string[] };

export function readTyped([word = 'help', ...rest]: readonly string[]): Typed {
  if (HELP.has(word)) return rest.length === 0 ? { kind: 'overview', text: overview() } : helpOn(rest);
  if (VERSION.has(word)) return { kind: 'version' };
  if (!isGroup(word)) return { kind: 'command', name: word, argv: rest };
  const [second = 'help', ...argv] = rest;
  if (HELP.has(second)) return helpOn([word, ...argv]);
  return { kind: 'command', name: `${word} ${second}`, argv };
}

function helpOn([word = '', second]: readonly string[]): Typed {
  if (!isGroup(word)) return { kind: 'command', name: word, argv: ['--help'] };
  if (second === undefined) return { kind: 'overview', text: groupOverview(word) };
  return { kind: 'command', name: `${word} ${second}`, argv: ['--help'] };
}
