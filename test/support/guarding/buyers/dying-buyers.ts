import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import type { PurchaseState } from '../../../../src/guard/ledger/purchase.ts';

const PROGRAM = fileURLToPath(new URL('./dying-buyer.mjs', import.meta.url));

/** The nth write of this kind, and on which side of it the process is killed. */
export interface Death {
  readonly when: 'before' | 'after';
  readonly write: PurchaseState;
  readonly nth: number;
}

export interface Buying {
  readonly url: string;
  readonly file: string;
  readonly tries: number;
}

export interface Bought {
  /** How each try of each purchase ended; nothing of a purchase in which the process died. */
  readonly ends: readonly (readonly string[])[];
  readonly signal: NodeJS.Signals | null;
}

/** Runs a process that makes these purchases one after the other, and waits for its end. */
export async function buyInProcess(
  key: Hex,
  purchases: readonly Buying[],
  death: Death | null,
): Promise<Bought> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ key, purchases, death })]);
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (errors !== '') throw new Error(`the buyer failed: ${errors}`);
  // Written by the program beside this file, one line for each purchase.
  const ends = said.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as string[]]));
  return { ends, signal: child.signalCode };
}
