import { hash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isJsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import { checkText, type StatementParts } from './check-statements.ts';
import { LogAway } from './log-files.ts';

const WEEK = /^[0-9]{4}w[0-9]{2}\.ndjson\.gz$/;
/** The largest statement, with every character of it escaped. */
const LINE_MAX_CHARS = 2_097_152;

/** The files of an archive (`assay retire`); null when there is no such folder. */
export function archiveFiles(folder: string): readonly string[] | null {
  const place = join(folder, 'receipts');
  try {
    return readdirSync(place)
      .filter((name) => WEEK.test(name))
      .sort()
      .map((name) => join(place, name));
  } catch {
    return null;
  }
}

/**
 * Judges those statements of an archive that the log says are there. What their hashes do not name is no part of the log and is
 * passed over: it proves nothing.
 */
export async function checkArchive(
  files: readonly string[],
  parts: Pick<StatementParts, 'findings' | 'rules'>,
): Promise<void> {
  for (const file of files) for await (const line of linesOf(file)) await checkLine(line, file, parts);
}

async function checkLine(
  line: string,
  file: string,
  { findings, rules }: Pick<StatementParts, 'findings' | 'rules'>,
): Promise<void> {
  const value = parseJson(line);
  const body = isJsonObject(value) ? member(value, 'body') : null;
  if (typeof body !== 'string') throw unreadable(file);
  const sha256 = hash('sha256', body, 'base64');
  const entry = findings.retired.get(sha256);
  if (entry === undefined) return;
  findings.retired.delete(sha256);
  await checkText(body, entry, { findings, rules });
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  createReadStream(file)
    .on('error', (fault) => unpacked.destroy(fault))
    .pipe(unpacked);
  let rest = '';
  try {
    for await (const chunk of unpacked.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > LINE_MAX_CHARS) throw new Error('a line is too long');
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** A file that somebody else gave us proves nothing against the log. */
function unreadable(file: string, cause?: unknown): LogAway {
  return new LogAway(`has an archive whose file ${file} cannot be read`, { cause });
}
