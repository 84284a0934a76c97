import { hash } from 'node:crypto';
import { encodeBase64 } from '../../core/log/base64.ts';
import { type LogEntry, parseEntry } from '../../core/log/entry.ts';
import { TILE_WIDTH } from '../../core/log/tile.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import { rulesStep } from '../../core/verify/rules-step.ts';
import { statementFacts } from '../../core/verify/statement-facts.ts';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import { addFault, addStub, type Findings } from './check-findings.ts';
import { type LogFiles, textFile } from './log-files.ts';
import type { RulesFiles } from './rules-files.ts';

export interface StatementParts {
  readonly files: LogFiles;
  readonly rules: RulesFiles;
  readonly findings: Findings;
  readonly prefix: string;
  readonly origin: string;
  /** Statements of entries before this one are not fetched. */
  readonly from: number;
}

export interface StatementCheck {
  /** The entries in their order. */
  take(entry: Uint8Array, index: number): Promise<void>;
  finish(): Promise<void>;
}

const STATEMENTS_BYTES = 67_108_864;
const RULES_BYTES = 4_194_304;
const LINE = '\n';

/** Every statement of a tree: fetched in bundles of 256, hashed against its entry, and judged again. */
export function checkStatements(parts: StatementParts): StatementCheck {
  const { findings } = parts;
  let waiting: { entry: LogEntry | null; index: number }[] = [];
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const [first] = batch;
    const wanted = batch.filter(({ entry, index }) => entry?.kind === 'receipt' && index >= parts.from);
    if (first === undefined || wanted.length === 0) return;
    const path = `${parts.prefix}statements/${Math.floor(first.index / TILE_WIDTH)}`;
    const lines = (await textFile(parts.files, path, STATEMENTS_BYTES))?.split(LINE, TILE_WIDTH) ?? [];
    for (const { entry, index } of wanted) {
      if (entry?.kind === 'receipt')
        await checkOne(entry, lines[index % TILE_WIDTH] ?? '', { ...parts, index });
    }
  };
  return {
    async take(bytes, index) {
      const entry = parseEntry(Buffer.from(bytes).toString());
      findings.counts.entries += 1;
      if (entry === null)
        addFault(findings, { kind: 'entry_unreadable', where: `${parts.origin} ${index}` }, bytes);
      else await note(entry, parts);
      waiting.push({ entry, index });
      if (index % TILE_WIDTH === TILE_WIDTH - 1) await flush();
    },
    finish: flush,
  };
}

/** What an entry means for others. */
async function note(entry: LogEntry, { findings, files, rules, origin }: StatementParts): Promise<void> {
  const { counts } = findings;
  if (entry.kind === 'receipt') counts.receipts += 1;
  else if (entry.kind === 'withdrawal') findings.withdrawals.add(encodeBase64(entry.sha256));
  else if (entry.kind === 'run') findings.runs.push({ run: entry.run, sha256: entry.sha256, origin });
  else if (entry.kind === 'rules') {
    counts.rules += 1;
    const installed = rules.sha256(entry.version);
    const served = await files.get(`rules/${entry.version}.mjs`, RULES_BYTES);
    const isServed = served !== null && isSameBytes(hash('sha256', served, 'buffer'), entry.sha256);
    const isOurs = installed === null || isSameBytes(installed, entry.sha256);
    if (!isServed) addFault(findings, { kind: 'rules_withheld', where: entry.version });
    if (!isOurs) addFault(findings, { kind: 'rules_differ', where: entry.version });
  } else counts.others += 1;
}

async function checkOne(
  { id, sha256 }: Extract<LogEntry, { kind: 'receipt' }>,
  line: string,
  { findings, rules, origin, index }: StatementParts & { index: number },
): Promise<void> {
  const where = `${origin} ${index}${id === '-' ? '' : ` ${id}`}`;
  if (line === '' || line === 'null') return addFault(findings, { kind: 'statement_withheld', where });
  if (!isSameBytes(hash('sha256', line, 'buffer'), sha256)) {
    const stub = stubOf(line);
    if (stub === 'withdrawn/1') return addStub(findings, sha256, where);
    if (stub === 'retired/1') {
      findings.counts.retired += 1;
      return;
    }
    return addFault(findings, { kind: 'statement_differs', where }, line);
  }
  const facts = statementFacts(Buffer.from(line));
  if (facts === null || (id !== '-' && facts.id !== id))
    return addFault(findings, { kind: 'statement_unreadable', where }, line);
  const { state } = rulesStep(facts, await rules.judge(facts.rules));
  if (state === 'failed') return addFault(findings, { kind: 'verdict_differs', where }, line);
  findings.counts[state === 'ok' ? 'judged' : 'not_judged'] += 1;
}

function stubOf(line: string): unknown {
  const value = parseJson(line);
  return isJsonObject(value) ? member(value, 'assay') : null;
}
