import type { CommandContext } from '../command-context.ts';
import type { CommandSpec, OptionSpec } from '../command-spec.ts';
import { COMMANDS, GROUPS } from '../command-table.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';

/** assay completion */
export async function completion({ words: [shell] }: Arguments, { out }: CommandContext): Promise<Outcome> {
  const script = completionFor(shell ?? '');
  if (script === null) return { invalid: 'the shell must be bash, zsh or fish' };
  out.write(script);
  return EXIT.done;
}

/** A script for a shell, made from the table of commands; null for a shell that is not known. */
export function completionFor(shell: string): string | null {
  switch (shell) {
    case 'bash':
      return bash();
    case 'zsh':
      return zsh();
    case 'fish':
      return fish();
    default:
      return null;
  }
}

const ENTRIES = Object.entries(COMMANDS);
const SINGLE = ENTRIES.filter(([name]) => !name.includes(' '));
const NAMES = [...SINGLE.map(([name]) => name), ...Object.keys(GROUPS)].join(' ');

/** The second words of a group. */
const secondsOf = (group: string) =>
  ENTRIES.filter(([name]) => name.startsWith(`${group} `)).map(
    ([name, { says }]) => [name.slice(group.length + 1), says] as const,
  );
const secondNames = (group: string) =>
  secondsOf(group)
    .map(([name]) => name)
    .join(' ');

const longOf = ({ flags }: OptionSpec) => flags.split(' ', 1).join('');
const takesValue = ({ flags }: OptionSpec) => flags.includes('<');

function bash(): string {
  const cases = ENTRIES.map(([name, { options, wordValues = [] }]) => {
    const words = [...options.map(longOf), '--help', ...wordValues].join(' ');
    return `    '${name}') words='${words}' ;;`;
  });
  const values = ENTRIES.flatMap(([name, { options }]) =>
    options
      .filter(takesValue)
      .map((option) => `    '${name},${longOf(option)}') words='${(option.values ?? []).join(' ')}' ;;`),
  );
  const groups = Object.keys(GROUPS).map(
    (group) => `    ${group})
      if [ "$COMP_CWORD" -eq 2 ]; then
        COMPREPLY=($(compgen -W '${secondNames(group)} --help' -- "$word"))
        return
      fi
      command="${group} \${COMP_WORDS[2]}" ;;`,
  );
  return `# bash completion for assay
_assay() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words='' command=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${NAMES} help --help --version' -- "$word"))
    return
  fi
  case $command in
${groups.join('\n')}
  esac
  case $command in
${cases.join('\n')}
    help) words='${NAMES}' ;;
  esac
  case $command,$before in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _assay assay
`;
}

function zsh(): string {
  const described = (lines: readonly (readonly [name: string, says: string])[]) =>
    lines.map(([name, says]) => `    '${name}:${quoted(says)}'`).join('\n');
  const commands = [...SINGLE.map(([name, { says }]) => [name, says] as const), ...Object.entries(GROUPS)];
  const groups = Object.keys(GROUPS).map(
    (group) => `  if [ "$words[1]" = ${group} ]; then
    commands=(
${described(secondsOf(group))}
    )
    if (( CURRENT == 2 )); then
      _describe command commands
      return
    fi
    shift words
    (( CURRENT-- ))
    words[1]="${group} $words[1]"
  fi`,
  );
  const cases = ENTRIES.map(([name, command]) => {
    const options = command.options.map((option) => `      '${zshOption(option)}'`);
    return `    '${name}')\n    _arguments ${[...options, `      '${zshWords(command)}'`].join(' \\\n').trimStart()}\n    ;;`;
  });
  return `#compdef assay
_assay() {
  local -a commands
  commands=(
${described(commands)}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
${groups.join('\n')}
  case $words[1] in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _assay ]; then _assay "$@"; else compdef _assay assay; fi
`;
}

function zshOption(option: OptionSpec): string {
  const value = takesValue(option)
    ? `:value:(${(option.values ?? []).join(' ').replaceAll(':', '\\:')})`
    : '';
  return `${longOf(option)}[${quoted(option.says).replace(/[[\]]/g, '')}]${value}`;
}

function zshWords({ wordValues }: CommandSpec): string {
  return wordValues === undefined ? '*::word:_default' : `1:word:(${wordValues.join(' ')})`;
}

function fish(): string {
  const groups = Object.entries(GROUPS).flatMap(([group, says]) => [
    `complete -c assay -n __fish_use_subcommand -f -a ${group} -d '${quoted(says)}'`,
    ...secondsOf(group).map(
      ([second, saying]) =>
        `complete -c assay -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${secondNames(group)}' -f -a ${second} -d '${quoted(saying)}'`,
    ),
  ]);
  const lines = ENTRIES.flatMap(([name, { says, options, wordValues = [] }]) => [
    ...(name.includes(' ')
      ? [`# ${name}`]
      : [`complete -c assay -n __fish_use_subcommand -f -a ${name} -d '${quoted(says)}'`]),
    ...options.map((option) => fishOption(name, option)),
    ...wordValues.map((value) => `complete -c assay -n ${seen(name)} -f -a ${value}`),
  ]);
  return `# fish completion for assay\n${[...groups, ...lines].join('\n')}\n`;
}

/** For `serve` and `guard serve` alike: a command of one word does not follow a group. */
function seen(name: string): string {
  const others = Object.keys(GROUPS).join(' ');
  const words = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  return `'${[...words, ...(name.includes(' ') ? [] : [`not __fish_seen_subcommand_from ${others}`])].join('; and ')}'`;
}

function fishOption(name: string, option: OptionSpec): string {
  const value = takesValue(option) ? ` -x -a '${(option.values ?? []).join(' ')}'` : '';
  return `complete -c assay -n ${seen(name)} -l ${longOf(option).slice(2)}${value} -d '${quoted(option.says)}'`;
}

/** Single-quoted for any of the shells. */
function quoted(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ' -');
}
