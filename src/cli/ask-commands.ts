import type { CommandContext } from './command-context.ts';
import type { CommandName } from './command-table.ts';
import type { Outcome } from './exit-code.ts';
import type { Arguments } from './read-arguments.ts';

export type AskName = Extract<
  CommandName,
  | 'check'
  | 'lint'
  | 'lookup'
  | 'receipt'
  | 'skips'
  | 'tasks'
  | 'completion'
  | 'log check'
  | 'log key'
  | 'seller key'
  | 'seller retest'
  | 'seller reply'
  | 'seller withdraw-reply'
  | 'seller watch'
  | 'seller unwatch'
  | 'guard ledger'
  | 'guard open'
  | 'guard show'
  | 'guard evidence'
  | 'guard freeze'
  | 'guard unfreeze'
>;
export type AskCommand = (given: Arguments, context: CommandContext) => Promise<Outcome>;

/** The commands that need nothing but a terminal and a service or a ledger, each loaded on first use. */
export const ASK_COMMANDS: Readonly<Record<AskName, () => Promise<AskCommand>>> = {
  check: async () => (await import('./commands/check.ts')).check,
  lint: async () => (await import('./lint/lint.ts')).lint,
  lookup: async () => (await import('./commands/lookup.ts')).lookup,
  receipt: async () => (await import('./commands/receipt.ts')).receipt,
  skips: async () => (await import('./commands/skips.ts')).skips,
  tasks: async () => (await import('./commands/tasks.ts')).tasks,
  completion: async () => (await import('./commands/completion.ts')).completion,
  'log check': async () => (await import('./proof/log-check.ts')).logCheck,
  'log key': async () => (await import('./proof/log-key.ts')).logKey,
  'seller key': async () => (await import('./seller/create-key.ts')).sellerKey,
  'seller retest': async () => (await import('./seller/send-statement.ts')).sellerRetest,
  'seller reply': async () => (await import('./seller/send-statement.ts')).sellerReply,
  'seller withdraw-reply': async () => (await import('./seller/send-statement.ts')).sellerWithdrawReply,
  'seller watch': async () => (await import('./seller/send-statement.ts')).sellerWatch,
  'seller unwatch': async () => (await import('./seller/send-statement.ts')).sellerUnwatch,
  'guard ledger': async () => (await import('./guard/list-purchases.ts')).guardLedger,
  'guard open': async () => (await import('./guard/list-purchases.ts')).guardOpen,
  'guard show': async () => (await import('./guard/one-purchase.ts')).guardShow,
  'guard evidence': async () => (await import('./guard/one-purchase.ts')).guardEvidence,
  'guard freeze': async () => (await import('./guard/freeze.ts')).guardFreeze,
  'guard unfreeze': async () => (await import('./guard/freeze.ts')).guardUnfreeze,
};

export function isAskName(name: CommandName): name is AskName {
  return Object.hasOwn(ASK_COMMANDS, name);
}
