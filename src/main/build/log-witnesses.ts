import { type Policy, parsePolicy } from '../../core/log/policy.ts';
import { isConfidentialUrl } from '../config/setting-checks.ts';
import { invalidFile, readSettingFile } from '../config/setting-file.ts';

const SETTING = 'LOG_POLICY';

export interface LogWitnesses {
  readonly policy: Policy;
  /** What clients are told: the lines without comments. */
  readonly text: string;
}

/** The file of LOG_POLICY. Its faults are one line for the operator. */
export function readWitnesses(file: string): LogWitnesses {
  const text = readSettingFile(SETTING, file);
  const policy = parsePolicy(text);
  if ('fault' in policy) throw invalidFile(SETTING, file, `line ${policy.line}: ${policy.fault}`);
  if (policy.logs.length > 0) throw invalidFile(SETTING, file, 'it must not name logs: ours are added');
  if (policy.witnesses.length === 0) throw invalidFile(SETTING, file, 'it names no witness');
  for (const { name, url } of policy.witnesses) {
    if (url === null || !isConfidentialUrl(url)) {
      throw invalidFile(
        SETTING,
        file,
        `witness ${name} needs an https address (http on this machine only), without a query`,
      );
    }
  }
  return { policy, text: linesOf(text) };
}

function linesOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).join('\n');
}
