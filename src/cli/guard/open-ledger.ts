import { statSync } from 'node:fs';
import type { Ledger } from '../../guard/ledger/ledger.ts';
import { LedgerFault } from '../../guard/ledger/ledger-fault.ts';
import { sqliteLedger } from '../../guard/ledger/sqlite-ledger.ts';
import { ledgerPath } from '../../guard/ledger/sqlite-ledger-file.ts';
import { readPolicyFile } from '../../guard/policy-file.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type Outcome } from '../exit-code.ts';
import type { Arguments } from '../read-arguments.ts';
import { plainText } from '../show/plain-text.ts';

export interface OpenedLedger {
  /** The whole path. */
  readonly file: string;
  readonly ledger: Ledger;
}

const DEFAULT_LEDGER = '~/.assay/purchases.db';

/** Runs a command on the ledger that was asked for. What cannot be read is one line and exit code 1. */
export async function withLedger(
  given: Arguments,
  { settings, notes }: CommandContext,
  work: (opened: OpenedLedger) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    const path = given.text('--ledger') ?? policyLedger(settings.guardPolicy) ?? DEFAULT_LEDGER;
    const file = ledgerPath(path);
    const ledger = sqliteLedger(file);
    try {
      return await work({ file, ledger });
    } finally {
      await ledger.close();
    }
  } catch (fault) {
    notes.write(`assay: ${plainText(fault instanceof Error ? fault.message : 'unexpected failure')}\n`);
    return EXIT.failed;
  }
}

/** Reading must not leave a file behind: an empty ledger would look like one in which nothing was bought. */
export function requireFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new LedgerFault(`there is no ledger ${file}; --ledger names another one`);
}

function policyLedger(policy: string): string | null {
  return policy === '' ? null : readPolicyFile(policy).ledger;
}
