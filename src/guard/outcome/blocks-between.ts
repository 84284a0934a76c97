import { type Block, blockAt, type Node } from './chain-node.ts';

export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/** Both in Unix seconds. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** Public nodes refuse to search more blocks at once. */
const RANGE_MAX = 9_000;
/** The pace of a chain is measured over so many blocks. */
const SAMPLE = 1_000;
const STEPS_MAX = 6;
/** The clocks of the buyer and of the chain may differ by this. */
const SLACK_SECONDS = 120;
/** As near to the beginning as it has to get. */
const NEAR_SECONDS = 900;

/**
 * The blocks of a span of time, found by the pace of the chain in a few steps, because nodes search only short ranges for logs.
 * Null when the node does not tell or the pace is too uneven.
 */
export async function blocksBetween(node: Node, latest: Block, span: Span): Promise<BlockRange | null> {
  if (latest.number <= SAMPLE) return { from: 0, to: latest.number };
  const sample = await blockAt(node, latest.number - SAMPLE);
  const pace = sample === null ? null : paceBetween(sample, latest);
  if (sample === null || pace === null) return null;
  const first = await blockBefore(node, span.since - SLACK_SECONDS, { at: sample, pace, latest });
  if (first === null) return null;
  const blocks = Math.ceil(((span.until + SLACK_SECONDS - first.timestamp) / pace) * 2);
  const length = Math.min(RANGE_MAX, Math.max(blocks, SAMPLE));
  return { from: first.number, to: Math.min(latest.number, first.number + length) };
}

interface Start {
  readonly at: Block;
  readonly pace: number;
  readonly latest: Block;
}

/** A block a little before this time: each guess corrects the pace. */
async function blockBefore(node: Node, time: number, start: Start): Promise<Block | null> {
  let { at, pace } = start;
  for (let step = 0; step < STEPS_MAX && !isNear(at, time); step += 1) {
    const ahead = Math.round((time - NEAR_SECONDS / 2 - at.timestamp) / pace);
    const guess = Math.min(start.latest.number, Math.max(0, at.number + ahead));
    const found = await blockAt(node, guess);
    if (found === null) return null;
    // The whole chain is younger.
    if (found.number === 0 && found.timestamp > time) return found;
    pace = paceBetween(at, found) ?? pace;
    at = found;
  }
  return isNear(at, time) ? at : null;
}

function isNear({ timestamp }: Block, time: number): boolean {
  return timestamp <= time && time - timestamp <= NEAR_SECONDS;
}

/** Seconds for a block; null when these two do not tell. */
function paceBetween(one: Block, other: Block): number | null {
  const pace = (one.timestamp - other.timestamp) / (one.number - other.number);
  return Number.isFinite(pace) && pace > 0 ? pace : null;
}
