import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type ConfigReading, environment, readConfig } from './config.ts';

/**
 * The settings of what a person runs for themselves. Only DATA_DIR is read: agents start it inside of projects, where names like
 * DATABASE_URL and PORT belong to another program.
 */
export function readLocalConfig(variables: NodeJS.ProcessEnv = environment()): ConfigReading {
  const { DATA_DIR = '', XDG_DATA_HOME = '' } = variables;
  const home = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(homedir(), '.local', 'share');
  return readConfig({ DATA_DIR: DATA_DIR === '' ? join(home, 'assay') : DATA_DIR });
}
