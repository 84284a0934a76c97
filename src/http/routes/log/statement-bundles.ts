import { serialQueue } from '../../../core/concurrency/serial-queue.ts';
import { runOfTree } from '../../../core/log/run-tree.ts';
import { TILE_WIDTH } from '../../../core/log/tile.ts';
import { type StatementPorts, statementsInBundle } from '../../../flows/log/statements-in-bundle.ts';
import type { Problem } from '../../../wire/responses/problem.ts';
import { READ_BYTES } from '../../admission/admission.ts';
import { createUnderWay } from '../../admission/under-way.ts';
import { type Rendered, rendered } from '../../exchange/answer.ts';
import { FOR_A_MINUTE, FOR_MOMENTS } from '../../exchange/caching.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/** This address is reading as many bundles as it may. */
export type Busy = 'busy';

const BUNDLES_PER_ADDRESS = 2;
export const TOO_MANY_BUNDLES: Problem = {
  code: 'address_busy',
  detail: `More than ${BUNDLES_PER_ADDRESS} bundles of statements of this address in progress; wait for their answers.`,
  retryAfterSeconds: 1,
};

/**
 * Strangers decide how long statements are, so a bundle may be a hundred times as long as usual: one is made at a time, two of an
 * address wait, and each counts for its length, also where only its headers are asked for.
 */
export function createStatementBundles(ports: StatementPorts) {
  const underWay = createUnderWay(BUNDLES_PER_ADDRESS);
  const inTurn = serialQueue();
  return async (tree: string, bundle: number, exchange: Exchange): Promise<Rendered | Busy | null> => {
    const networks = exchange.networks();
    if (!underWay.enter(networks)) return 'busy';
    try {
      const made = await inTurn(() => statementsOf(tree, bundle, ports));
      exchange.cost.reads = Math.ceil((made?.body.byteLength ?? 1) / READ_BYTES);
      return made;
    } finally {
      underWay.leave(networks);
    }
  };
}

const LINES = 'application/x-ndjson; charset=utf-8';

/** One line for each entry of a bundle. */
async function statementsOf(tree: string, bundle: number, ports: StatementPorts): Promise<Rendered | null> {
  const lines = await statementsInBundle(tree, bundle, ports);
  // A reader of a newer checkpoint takes entries that an older copy lacks for withheld.
  const isFull = lines.length === TILE_WIDTH || runOfTree(tree) !== null;
  const text = lines.map((line) => `${line}\n`).join('');
  return lines.length === 0 ? null : rendered(text, LINES, isFull ? FOR_A_MINUTE : FOR_MOMENTS);
}
