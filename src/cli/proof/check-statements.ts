import { hash } from 'node:crypto';
import { encodeBase64 } from '../../core/log/base64.ts';
import { type LogEntry, parseEntry } from '../../core/log/entry.ts';
import { TILE_WIDTH } from '../../core/log/tile.ts';
import { isSameBytes } from '../../core/log/tree-hash.ts';
import { retiredStub } from '../../core/statement/retired-stub.ts';
import { rulesStep } from '../../core/verify/rules-step.ts';
import { STATEMENT_MAX_BYTES, statementFacts } from '../../core/verify/statement-facts.ts';
import { viewsStep } from '../../core/verify/views-step.ts';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import {
  addFault,
  addReceiptTwice,
  addRetired,
  addRun,
  addStub,
  addWithdrawal,
  type Findings,
} from './check-findings.ts';
import { type LogFiles, textFile } from './log-files.ts';
import type { ReceiptPlaces } from './places/receipt-places.ts';
import type { RulesFiles } from './rules-files.ts';

export interface StatementParts {
  readonly files: LogFiles;
  readonly rules: RulesFiles;
  readonly findings: Findings;
  /** Of all epochs together, or of one run. */
  readonly receipts: ReceiptPlaces;
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

/** A bundle of the largest statements, each with the end of its line. */
const STATEMENTS_BYTES = TILE_WIDTH * (STATEMENT_MAX_BYTES + 1);
const RULES_BYTES = 4_194_304;
const LINE = '\n';
/** In the tree of a run. */
const NO_ID = '-';

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
      else await note(entry, { ...parts, index });
      waiting.push({ entry, index });
      if (index % TILE_WIDTH === TILE_WIDTH - 1) await flush();
    },
    finish: flush,
  };
}

/** What an entry means for others. */
async function note(entry: LogEntry, parts: StatementParts & { readonly index: number }): Promise<void> {
  const { findings, files, rules, origin, index } = parts;
  const { counts } = findings;
  if (entry.kind === 'receipt') {
    counts.receipts += 1;
    notePlace(entry.id, entry, parts);
  } else if (entry.kind === 'withdrawal') addWithdrawal(findings, entry.sha256);
  else if (entry.kind === 'run') addRun(findings, { run: entry.run, sha256: entry.sha256, origin, index });
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

type ReceiptEntry = Extract<LogEntry, { kind: 'receipt' }>;

/** Logged again with another statement, a receipt would have been changed. */
function notePlace(
  receipt: string,
  { id, sha256 }: ReceiptEntry,
  { findings, receipts, origin, index }: StatementParts & { readonly index: number },
): void {
  const place = { origin, index, sha256 };
  const first = receipts.add(receipt, place);
  if (first !== null) addReceiptTwice(findings, { receipt, entry: id }, [first, place]);
}

async function checkOne(
  entry: ReceiptEntry,
  line: string,
  parts: StatementParts & { readonly index: number },
): Promise<void> {
  const { id, sha256 } = entry;
  const { findings, rules, origin, index } = parts;
  const where = `${origin} ${index}${id === NO_ID ? '' : ` ${id}`}`;
  if (line === '' || line === 'null') return addFault(findings, { kind: 'statement_withheld', where });
  if (!isSameBytes(hash('sha256', line, 'buffer'), sha256)) {
    const form = formOf(line);
    if (form === 'withdrawn/1') return addStub(findings, sha256, where);
    if (form !== 'retired/1') return addFault(findings, { kind: 'statement_differs', where }, line);
    // Receipts of a run are never retired, and a stub is about the entry beside which it stands.
    const isRetired = id !== NO_ID && line === JSON.stringify(retiredStub(id, encodeBase64(sha256)));
    return isRetired
      ? addRetired(findings, sha256, { id, where })
      : addFault(findings, { kind: 'statement_withheld', where }, line);
  }
  const receipt = await checkText(line, { id, where }, { findings, rules });
  if (id === NO_ID && receipt !== null) notePlace(receipt, entry, parts);
}

/** A statement that hashes to its entry. Answers the id of its receipt; null when it has none that can be read. */
export async function checkText(
  text: string,
  { id, where }: { readonly id: string; readonly where: string },
  { findings, rules }: Pick<StatementParts, 'findings' | 'rules'>,
): Promise<string | null> {
  const facts = statementFacts(Buffer.from(text));
  if (facts === null || (id !== NO_ID && facts.id !== id)) {
    addFault(findings, { kind: 'statement_unreadable', where }, text);
    return null;
  }
  const { state } = rulesStep(facts, await rules.judge(facts.rules));
  const isUnproved = state !== 'failed' && viewsStep(facts)?.state === 'failed';
  if (state === 'failed') addFault(findings, { kind: 'verdict_differs', where }, text);
  else if (isUnproved) addFault(findings, { kind: 'views_unproved', where }, text);
  else findings.counts[state === 'ok' ? 'judged' : 'not_judged'] += 1;
  return facts.id;
}

function formOf(line: string): unknown {
  const value = parseJson(line);
  return isJsonObject(value) ? member(value, 'assay') : null;
}
