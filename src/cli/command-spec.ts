export interface OptionSpec {
  /** As in '--network <caip2>'; a value stands in angle brackets. */
  readonly flags: string;
  readonly says: string;
  /** What a shell may offer as its value. */
  readonly values?: readonly string[];
  /** May be given more than once. */
  readonly repeats?: true;
}

export interface CommandSpec {
  readonly says: string;
  /** Words behind the command, as in '[url...]'. */
  readonly words?: string;
  readonly wordValues?: readonly string[];
  readonly more?: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
}

export const NO_COLOR: OptionSpec = { flags: '--no-color', says: 'no colours and no progress bar' };
