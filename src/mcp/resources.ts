import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { receiptKind } from '../core/receipt/receipt-id.ts';
import type { McpCall } from '../wire/mcp/mcp-port.ts';
import { withoutSellerWords } from './seller-words.ts';

const JSON_TYPE = 'application/json';
const RECEIPTS = 'assay://receipts/';

export const RECEIPT_TEMPLATE = `${RECEIPTS}{id}`;

/** What a client may read without calling a tool. Everything here is free. */
export const RESOURCES = [
  {
    uri: 'assay://skips/summary',
    name: 'skips-summary',
    title: 'Totals of the latest crawl',
    description: 'Number of listed endpoints with verdict pay, skip and recheck, by list; without the rows.',
    mimeType: JSON_TYPE,
  },
  {
    uri: 'assay://tasks',
    name: 'tasks',
    title: 'Task names',
    description: 'All task names with the ids of their services.',
    mimeType: JSON_TYPE,
  },
];

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: RECEIPT_TEMPLATE,
    name: 'receipt',
    title: 'A receipt',
    description: 'One receipt by its id; it never changes.',
    mimeType: JSON_TYPE,
  },
];

export async function readResource(uri: string, call: McpCall) {
  const text = await textOf(uri, call);
  if (text === null) throw new ResourceNotFoundError(uri);
  const plain = JSON.stringify(JSON.parse(text), withoutSellerWords);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: plain }] };
}

async function textOf(uri: string, call: McpCall): Promise<string | null> {
  if (uri === 'assay://tasks') return freeText('/v1/tasks', call);
  if (uri === 'assay://skips/summary') {
    const text = await freeText('/v1/skips.json', call);
    return text === null ? null : withoutRows(text);
  }
  const id = uri.startsWith(RECEIPTS) ? uri.slice(RECEIPTS.length) : '';
  return receiptKind(id) !== null ? freeText(`/v1/receipts/${id}`, call) : null;
}

async function freeText(target: string, { ask }: McpCall): Promise<string | null> {
  const { status, text, retryAfterSeconds } = await ask({ target, paymentSignature: null, xPayment: null });
  // 410: withdrawn or archived.
  if (status === 404 || status === 410) return null;
  if (status !== 200) {
    const data = retryAfterSeconds === null ? undefined : { retry_after_seconds: retryAfterSeconds };
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The service is unavailable.', data);
  }
  return text;
}

/** Drops the 500 rows of the page: a model that wants totals should not have to read them. */
function withoutRows(text: string): string {
  const value: unknown = JSON.parse(text);
  const members = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => name !== 'skips')));
}

const SUGGESTIONS_MAX = 20;

/** Completes the id of a receipt from the newest ones, and a task from all of them. */
export async function suggestions(kind: 'receipt' | 'task', begun: string, call: McpCall): Promise<string[]> {
  const target = kind === 'task' ? '/v1/tasks' : `/v1/receipts?type=live&limit=${SUGGESTIONS_MAX}`;
  const text = await freeText(target, call);
  const value: unknown = text === null ? null : JSON.parse(text);
  return namesIn(value)
    .filter((name) => name.startsWith(begun))
    .slice(0, SUGGESTIONS_MAX);
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!('receipts' in value) || !Array.isArray(value.receipts)) return Object.keys(value);
  return value.receipts.flatMap((receipt: unknown) =>
    typeof receipt === 'object' && receipt !== null && 'id' in receipt ? [String(receipt.id)] : [],
  );
}
