import { readFileSync } from 'node:fs';

/** The text of a file that a setting names. */
export function readSettingFile(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw invalidFile(setting, file, 'it cannot be read', cause);
  }
}

export function invalidFile(setting: string, file: string, problem: string, cause?: unknown): Error {
  return new Error(`invalid setting: ${setting} ${file}: ${problem}`, { cause });
}
