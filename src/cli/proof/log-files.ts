import { isUtf8 } from 'node:buffer';
import type { ReadTile } from '../../core/log/prove.ts';
import { TILE_WIDTH, tilePath } from '../../core/log/tile.ts';
import { HASH_BYTES } from '../../core/log/tree-hash.ts';
import type { CommandContext } from '../command-context.ts';

/** A log is read in flat memory; a service must not keep us busy for ever. */
export const LOG_SIZE_MAX = 1_000_000_000;

/** The largest file of a log: 256 entries of 65,535 bytes, each with two for its length. */
export const LOG_FILE_BYTES = 16_777_472;
export const CHECKPOINT = 'checkpoint';
export const CHECKPOINT_BYTES = 262_144;
/** Requests to a log at a time. */
export const LOG_FILES_AT_ONCE = 4;

/** Nobody answers, or not now: this proves nothing. */
export class LogAway extends Error {}

/** What a log has signed and then does not show: proof that something is wrong with it. */
export class FileWithheld extends Error {}

/** The files below `/log` of a service. */
export interface LogFiles {
  /** Null when the service says that there is no such file. Longer files are cut one byte behind the limit. */
  get(path: string, mostBytes: number): Promise<Uint8Array | null>;
}

const TRIES = 5;
const WAIT_MS_MAX = 61_000;
const WAIT_MS = 1_000;

export function logFilesAt(
  server: string,
  timeoutSeconds: number,
  { fetch: send, stop, wait }: Pick<CommandContext, 'fetch' | 'stop' | 'wait'>,
): LogFiles {
  const once = async (path: string, most: number): Promise<Uint8Array | null | number> => {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    try {
      // Only the typed address is trusted; a redirect could lead anywhere.
      const response = await send(`${server}/log/${path}`, {
        redirect: 'manual',
        headers: headersFor(path),
        signal: AbortSignal.any([timeout, stop]),
      });
      if (response.status === 200) return await bytesOf(response, most);
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) return null;
      const isBusy = response.status === 429 || response.status === 503;
      if (isBusy) return waitMs(response.headers.get('retry-after'));
      throw new LogAway(`answered ${response.status} for /log/${path}`);
    } catch (fault) {
      if (fault instanceof LogAway) throw fault;
      if (timeout.aborted) throw new LogAway(`did not answer within ${timeoutSeconds} s`);
      throw new LogAway(stop.aborted ? 'was not asked to the end' : 'cannot be reached');
    }
  };
  return {
    async get(path, most) {
      for (let tried = 1; tried <= TRIES; tried += 1) {
        const found = await once(path, most);
        if (typeof found !== 'number') return found;
        if (tried < TRIES) await wait(found, stop);
      }
      throw new LogAway('is too busy');
    },
  };
}

/** Statements from a cache that are older than the checkpoint would look withheld. What is in a tile never changes. */
function headersFor(path: string): Record<string, string> {
  return /(?:^|\/)tile\//.test(path) ? {} : { 'cache-control': 'no-cache' };
}

function waitMs(seconds: string | null): number {
  const asked = seconds !== null && /^[0-9]{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : WAIT_MS;
  return Math.min(WAIT_MS_MAX, asked);
}

async function bytesOf({ body }: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > most) break; // Leaving the loop closes the connection.
  }
  return Buffer.concat(chunks).subarray(0, most + 1);
}

const TILE_BYTES = TILE_WIDTH * HASH_BYTES;

/** Rejects with `FileWithheld` when the log does not have a tile of its own tree. */
export function tilesIn(files: LogFiles, prefix: string): ReadTile {
  return async (tile) => {
    const path = `${prefix}${tilePath(tile)}`;
    // A log may drop a partial tile as soon as it has the full one.
    const found =
      (await files.get(path, TILE_BYTES)) ??
      (await files.get(`${prefix}${tilePath({ ...tile, width: TILE_WIDTH })}`, TILE_BYTES));
    if (found === null) throw new FileWithheld(`the log does not show ${path}`);
    const bytes = found.length === TILE_BYTES ? found.subarray(0, tile.width * HASH_BYTES) : found;
    if (bytes.length !== tile.width * HASH_BYTES) throw new FileWithheld(`${path} has a wrong length`);
    return bytes;
  };
}

/** A text file; null as well when it is not UTF-8. What was not read to its end proves nothing: then it rejects with `LogAway`. */
export async function textFile(files: LogFiles, path: string, mostBytes: number): Promise<string | null> {
  const bytes = await files.get(path, mostBytes);
  if (bytes === null) return null;
  if (bytes.length > mostBytes)
    throw new LogAway(`has a file that is larger than is read here: /log/${path}`);
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : null;
}
