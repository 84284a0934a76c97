import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Violation, violation } from '../chaos/check/violation.ts';
import type { ReceiptReading } from '../chaos/evidence.ts';
import type { PaymentNote } from '../chaos/journal.ts';
import { as, type Line } from '../world/callers.ts';
import { createReplica, type ReplicaOptions, SECRET } from '../world/replicas.ts';

export interface Said {
  readonly code: number | null;
  readonly text: string;
}

/** A command of a release, as an operator runs it. */
export async function assay(
  root: string,
  given: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Said> {
  const child = spawn(process.execPath, [join(root, 'dist/bundle/node/assay.js'), ...given], {
    env: { PATH: process.env['PATH'] ?? '', SECRET, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  }
  const [code] = await once(child, 'close');
  return { code, text: text.trim() };
}

/** What clients had when the backup was begun. */
export interface HadBefore {
  readonly receipts: readonly ReceiptReading[];
  readonly paid: readonly { readonly path: string; readonly caller: number; readonly payment: PaymentNote }[];
}

/** Restores the backup into an empty database and runs the old release on it. */
export async function goBack(
  file: string,
  options: ReplicaOptions & { readonly root: string },
  had: HadBefore,
  line: Line,
): Promise<Violation[]> {
  const restored = await assay(options.root, ['restore', file], options.database.settings);
  if (restored.code !== 0) return [violation('the backup cannot be restored', restored)];
  const replica = await createReplica(options);
  const found: Violation[] = [];
  await replica.start();
  try {
    const ask = as(NEW_CALLER, (path, sent) => line.ask(replica.address, path, sent));
    for (const { id, text } of had.receipts) {
      const answer = await ask(`/v1/receipts/${id}`);
      if (answer.status !== 200 || answer.text !== text) {
        found.push(violation('a receipt of the backup is not served', { id, status: answer.status }));
      }
    }
    for (const { path, caller, payment } of had.paid) {
      const headers = { 'payment-signature': payment.signed.header };
      const answer = await as(caller, (to, sent) => line.ask(replica.address, to, sent))(path, { headers });
      const first = payment.said.find((one) => one?.isPaid === true);
      if (answer.text !== first?.text) {
        found.push(violation('a paid answer of the backup is not served', { path, status: answer.status }));
      }
    }
    for (const path of ['/readyz', '/v1/lookup?task=prime-factors', '/v1/skips.json', '/log/checkpoint']) {
      const { status, text } = await ask(path);
      if (status !== 200) found.push(violation('the old release does not serve', { path, status, text }));
    }
    return found;
  } finally {
    await replica.stop();
  }
}

/** Nobody else has this address. */
const NEW_CALLER = 3_900_000;
