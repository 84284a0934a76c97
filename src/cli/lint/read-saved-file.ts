import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { CHALLENGE_BODY_MAX_BYTES } from '../../core/limits.ts';
import { readSavedAnswer, type SavedAnswer } from '../../core/lint/saved-answer.ts';
import type { Input } from '../command-context.ts';

const MAX_BYTES = CHALLENGE_BODY_MAX_BYTES;
const TOO_LARGE = `is larger than ${MAX_BYTES / 1_024} kB`;

/** A file, or standard input for '-'. Reads no more than its limit, whatever the file says about itself. */
export async function readSavedFile(name: string, input: Input): Promise<SavedAnswer> {
  const bytes = name === '-' ? await readChunks(input.chunks()) : await readFileStart(name);
  if (typeof bytes === 'string') return { kind: 'invalid', problem: bytes };
  return bytes.byteLength > MAX_BYTES ? { kind: 'invalid', problem: TOO_LARGE } : readSavedAnswer(bytes);
}

async function readChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    kept.push(chunk);
    length += chunk.byteLength;
    if (length > MAX_BYTES) break;
  }
  return Buffer.concat(kept);
}

/** The bytes, or why there are none. */
async function readFileStart(name: string): Promise<Uint8Array | string> {
  try {
    // Without O_NONBLOCK a named pipe is opened when somebody writes to it, which may be never.
    const file = await open(name, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      // A pipe or a device may never end, or never begin.
      if (!stat.isFile()) return stat.isDirectory() ? 'is a directory' : 'is not a regular file';
      const buffer = Buffer.alloc(MAX_BYTES + 1);
      let length = 0;
      while (length < buffer.byteLength) {
        const { bytesRead } = await file.read(buffer, length, buffer.byteLength - length, null);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return buffer.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch (fault) {
    return WHY[codeOf(fault)] ?? 'cannot be read';
  }
}

const NOTHING_THERE = 'does not exist; a URL begins with http:// or https://';

const WHY: Readonly<Record<string, string>> = {
  ENOENT: NOTHING_THERE,
  ENOTDIR: NOTHING_THERE,
  EACCES: 'may not be read',
  EISDIR: 'is a directory',
  ENAMETOOLONG: 'has too long a name',
};

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : '';
}
