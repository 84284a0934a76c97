import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The whole path of a file that a person names: `~/` is the home folder; a relative path counts from `folder`. */
export function localPath(path: string, folder: string = process.cwd()): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);
}
