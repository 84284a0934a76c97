import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { plainText } from '../show/plain-text.ts';
import { withLedger } from './open-ledger.ts';

/** assay guard freeze */
export async function guardFreeze(given: Arguments, context: CommandContext): Promise<Outcome> {
  return setFrozen(true, given, context);
}

/** assay guard unfreeze */
export async function guardUnfreeze(given: Arguments, context: CommandContext): Promise<Outcome> {
  return setFrozen(false, given, context);
}

/** Works on a ledger that does not exist yet: payments can be stopped before the first one. */
async function setFrozen(frozen: boolean, given: Arguments, context: CommandContext): Promise<Outcome> {
  return withLedger(given, context, async ({ file, ledger }) => {
    const before = await ledger.frozen();
    await ledger.freeze(frozen);
    if (given.has('--json')) {
      context.out.write(`${JSON.stringify({ ledger: file, frozen, changed: before !== frozen })}\n`);
      return EXIT.done;
    }
    const said = frozen ? FROZEN : UNFROZEN;
    const already = before === frozen ? 'already ' : '';
    context.out.write(`${already}${said} (${plainText(file)})\n`);
    return EXIT.done;
  });
}

const FROZEN = 'frozen: no payment of this ledger is made until assay guard unfreeze';
const UNFROZEN = 'not frozen: payments of this ledger are made within its limits';
