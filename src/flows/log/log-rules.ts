import { entryText } from '../../core/log/entry.ts';
import { statementSha256 } from '../../core/statement/statement-hash.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';

/**
 * Gives every rules file its entry in the log, once: nobody can be handed another file under the same version. Answers the
 * versions for which the log has another file.
 */
export async function logRules(
  rules: ReadonlyMap<string, string>,
  log: Pick<LogStore, 'add' | 'place'>,
): Promise<readonly string[]> {
  const entries = [...rules].map(([version, text]) => ({
    version,
    id: `rules:${version}`,
    entry: entryText({ kind: 'rules', version, sha256: statementSha256(text) }),
  }));
  await log.add(entries);
  const others: string[] = [];
  for (const { version, id, entry } of entries) {
    const place = await log.place(id);
    if (place !== null && place !== 'waiting' && place.entry !== entry) others.push(version);
  }
  return others;
}
