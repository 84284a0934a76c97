import { type NoteKey, noteKeyText } from '../../core/log/note.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';

export interface PolicyParts {
  readonly log: Pick<LogReader, 'epochs'>;
  /** The lines about witnesses, groups and the quorum. */
  readonly witnesses: string;
  readonly promiseKey: NoteKey | null;
}

/** The policy of c2sp.org/tlog-policy that clients verify us by; promises have a key that such a policy has no line for. */
export async function policyText(
  address: string,
  { log, witnesses, promiseKey }: PolicyParts,
): Promise<string> {
  const epochs = await log.epochs();
  const lines = epochs.flatMap(({ tree, key }) => {
    const url = tree === '1' ? address : `${address}/${tree}`;
    return key
      .split(' ')
      .filter((one) => one !== '')
      .map((one) => `log ${one} ${url}`);
  });
  const promises = promiseKey === null ? [] : [`# promises ${noteKeyText(promiseKey)}`];
  return [...lines, ...promises, witnesses.trimEnd(), ''].join('\n');
}

/** Without witnesses a client believes the key alone. */
export const NO_WITNESSES = 'quorum none';
