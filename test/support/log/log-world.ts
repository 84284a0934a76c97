import { hash } from 'node:crypto';
import { encodeBase64 } from '../../../src/core/log/base64.ts';
import { checkpointText } from '../../../src/core/log/checkpoint.ts';
import { entryText, type LogEntry } from '../../../src/core/log/entry.ts';
import { writeBundle } from '../../../src/core/log/entry-bundle.ts';
import { cosign, type NoteSigner, noteKeyText, signNote } from '../../../src/core/log/note.ts';
import { proofFileText } from '../../../src/core/log/proof-file.ts';
import { inclusionProof } from '../../../src/core/log/prove.ts';
import { parseTilePath } from '../../../src/core/log/tile.ts';
import { hashLeaf } from '../../../src/core/log/tree-hash.ts';
import { statementOfCrawl } from '../../../src/core/statement/stated-crawl.ts';
import { statementOfLive } from '../../../src/core/statement/stated-live.ts';
import { loadRules } from '../../../src/main/build/load-rules.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { aReceipt, receiptId } from '../../../tools/samples/store-receipts.ts';
import { crawledOf, unclaimed } from '../random-checks.ts';
import { memoryTree } from './memory-tree.ts';
import { seededSigner } from './seeded-signer.ts';

export const ORIGIN = 'log.example/log';
export const PROMISE_SIGNER = seededSigner('log.example/promises');
export const COSIGNED_AT = Date.parse('2026-11-15T11:59:48.000Z') / 1_000;
const sha256 = (text: string) => hash('sha256', text, 'buffer');

export interface WorldOptions {
  readonly origin?: string;
  readonly signers?: readonly NoteSigner[];
  readonly cosigners?: readonly NoteSigner[];
}

export interface LogTree {
  readonly origin: string;
  readonly tree: ReturnType<typeof memoryTree>;
  /** What is served as statements, an entry a line. */
  readonly lines: string[];
  readonly runs: Map<string, { readonly world: LogTree; readonly statement: string }>;
  readonly keys: { signers: readonly NoteSigner[] };
  readonly size: () => number;
  /** The signed checkpoint. */
  readonly note: () => string;
  readonly addText: (entry: string, line?: string) => void;
  readonly add: (entry: LogEntry, line?: string) => void;
  /** The n-th receipt; its verdict is right. */
  readonly addReceipt: (n: number, statement?: string) => string;
  readonly addRules: () => void;
  /** A run of one crawl receipt. */
  readonly addRun: (id?: string) => void;
  readonly proofOf: (index: number) => Promise<string>;
  readonly file: (path: string) => Promise<Uint8Array | null>;
}

/** A tree of entries with their statements, as an honest log has them. */
export function logWorld({ origin = ORIGIN, signers, cosigners = [] }: WorldOptions = {}): LogTree {
  const tree = memoryTree();
  const entries: string[] = [];
  const lines: string[] = [];
  const runs: LogTree['runs'] = new Map();
  const keys = { signers: signers ?? [seededSigner(origin)] };
  const addText = (entry: string, line = 'null') => {
    entries.push(entry);
    lines.push(line);
    tree.append([hashLeaf(Buffer.from(entry))]);
  };
  const note = () => {
    const text = checkpointText({ origin, ...tree.head() });
    return signNote(text, keys.signers) + cosigners.map((one) => cosign(text, COSIGNED_AT, one)).join('');
  };
  return {
    ...{ origin, tree, lines, runs, keys, addText, note },
    size: () => entries.length,
    add: (entry: LogEntry, line?: string) => addText(entryText(entry), line),
    addReceipt(n: number, statement = liveStatement(n)) {
      addText(entryText({ kind: 'receipt', id: receiptId(n), sha256: sha256(statement) }), statement);
      return statement;
    },
    addRules: () => {
      for (const [version, text] of loadRules())
        addText(entryText({ kind: 'rules', version, sha256: sha256(text) }));
    },
    addRun(id = 'a-run') {
      const world = logWorld({ origin: `${origin}/run/${id}`, signers: keys.signers });
      const statement = crawlStatement();
      world.addText(entryText({ kind: 'receipt', id: '-', sha256: sha256(statement) }), statement);
      const { size, root } = world.tree.head();
      const told = JSON.stringify({ assay: 'run/1', id, root: encodeBase64(root), rules: '6', size });
      runs.set(id, { world, statement: told });
      addText(entryText({ kind: 'run', run: id, sha256: sha256(told) }));
    },
    async proofOf(index: number): Promise<string> {
      const proof = await inclusionProof(index, entries.length, tree.read);
      return proofFileText({ index, proof, checkpoint: note() });
    },
    async file(path: string): Promise<Uint8Array | null> {
      if (path === 'checkpoint') return Buffer.from(note());
      const [, bundle] = /^statements\/(\d+)$/.exec(path) ?? [];
      if (bundle !== undefined) {
        const from = Number(bundle) * 256;
        return Buffer.from(`${lines.slice(from, from + 256).join('\n')}\n`);
      }
      const asked = parseTilePath(path);
      if (asked?.kind === 'hashes') {
        const hashes = Math.floor(entries.length / 256 ** asked.tile.level);
        if (asked.tile.index * 256 + asked.tile.width > hashes) return null;
        return tree.read(asked.tile);
      }
      if (asked === null || asked.index * 256 + asked.width > entries.length) return null;
      const from = asked.index * 256;
      return writeBundle(entries.slice(from, from + asked.width).map((entry) => Buffer.from(entry)));
    },
  };
}

const written = new Map<number, string>();

/** Written once: a suite has many logs of the same receipts. */
export function liveStatement(n: number): string {
  const statement = written.get(n) ?? statementOfLive(aReceipt({ id: receiptId(n) })) ?? '';
  written.set(n, statement);
  return statement;
}

export function crawlStatement(): string {
  return statementOfCrawl(crawledOf(unclaimed(paywall([ENTRY]))[0], true)) ?? '';
}

export function policyOf(
  worlds: readonly LogTree[],
  more = 'quorum none\n',
  promises = PROMISE_SIGNER,
): string {
  const logs = worlds.flatMap(({ keys }) => keys.signers.map(({ key }) => `log ${noteKeyText(key)}\n`));
  return `${logs.join('')}# promises ${noteKeyText(promises.key)}\n${more}`;
}
