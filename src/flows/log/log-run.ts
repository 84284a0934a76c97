import { entryText, runReceiptEntry } from '../../core/log/entry.ts';
import type { NoteSigner } from '../../core/log/note.ts';
import { runOrigin, runTree } from '../../core/log/run-tree.ts';
import { hashLeaf } from '../../core/log/tree-hash.ts';
import { createTreeWriter } from '../../core/log/tree-writer.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { writeRunStatement } from '../../core/statement/run-statement.ts';
import { statementSha256 } from '../../core/statement/statement-hash.ts';
import { RULES_VERSION } from '../../core/verdict/verdict.ts';
import type { Epoch, LoggedRun, LogHead, LogStore, StoredTile } from '../../ports/log/transparency-log.ts';
import { signCheckpoint } from './grow-log.ts';
import type { LogKeeper } from './keep-log.ts';
import { keyChange, keysText } from './log-keys.ts';

export interface RunLogPorts {
  readonly log: Pick<LogStore, 'current' | 'keepTiles'>;
  readonly keeper: Pick<LogKeeper, 'open' | 'state'>;
  readonly signersOf: (epoch: Epoch) => readonly NoteSigner[];
  /** The keys of the epoch under the name of a run. */
  readonly runSignersOf: (epoch: Epoch, runId: string) => readonly NoteSigner[];
}

/** The trees of runs, as a process writes them that has the keys of the log. */
export interface RunLog {
  /** Null while this process cannot continue the log: the run is then published without a tree. */
  begin(runId: string): Promise<RunTree | null>;
}

export interface RunTree {
  /** The statements of the next rows in published order; null for a row of an older release. */
  add(statements: readonly (string | null)[]): Promise<void>;
  /** Null when a row has no statement, or when the log cannot be continued any more. */
  finish(run: CrawlRun): Promise<LoggedRun | null>;
}

/** About half a megabyte. */
const TILES_A_WRITE = 64;

export function createRunLog(ports: RunLogPorts): RunLog {
  return {
    async begin(runId) {
      await ports.keeper.open();
      return (await signableHead(ports)) === null ? null : openTree(runId, ports);
    },
  };
}

/** Memory stays flat: full tiles are written while the rows are read. A second attempt writes the same tiles again. */
function openTree(runId: string, ports: RunLogPorts): RunTree {
  const writer = createTreeWriter();
  const tree = runTree(runId);
  let waiting: StoredTile[] = [];
  let isWhole = true;
  const write = async (): Promise<void> => {
    const tiles = waiting;
    waiting = [];
    await ports.log.keepTiles(tree, tiles);
  };
  return {
    async add(statements) {
      isWhole &&= !statements.includes(null);
      if (!isWhole) return;
      for (const statement of statements) {
        const entry = runReceiptEntry(statementSha256(statement ?? ''));
        waiting.push(...writer.append(hashLeaf(Buffer.from(entry))));
      }
      if (waiting.length >= TILES_A_WRITE) await write();
    },
    async finish(run) {
      const head = isWhole ? await signableHead(ports) : null;
      if (head === null) return null;
      const { size, root, tiles } = writer.finish();
      waiting.push(...tiles);
      await write();
      return loggedRun(run, { size, root }, head, ports);
    },
  };
}

/** The newest epoch, if this process may sign for it. */
async function signableHead({ log, keeper, signersOf }: RunLogPorts): Promise<LogHead | null> {
  const head = keeper.state() === 'ok' ? await log.current() : null;
  return head !== null && keyChange(head, signersOf(head)).kind === 'same' ? head : null;
}

function loggedRun(
  run: CrawlRun,
  { size, root }: Pick<LogHead, 'size' | 'root'>,
  epoch: LogHead,
  { signersOf, runSignersOf }: RunLogPorts,
): LoggedRun {
  const { id, crawledAt, sources, summary } = run;
  const origin = runOrigin(epoch.origin, id);
  // A verifier that has only the log's key accepts the first lines, one that goes by the origin the others.
  const signers = [...signersOf(epoch), ...runSignersOf(epoch, id)];
  const statement = writeRunStatement({
    id,
    crawledAt,
    size,
    root,
    sources,
    summary,
    rulesVersion: RULES_VERSION,
  });
  const tree = runTree(id);
  const entry = entryText({ kind: 'run', run: id, sha256: statementSha256(statement) });
  const checkpoint = signCheckpoint({ origin, size, root }, signers);
  return {
    head: { tree, origin, key: keysText(signers), size, root, checkpoint },
    statement,
    entry: { id: tree, entry },
  };
}
