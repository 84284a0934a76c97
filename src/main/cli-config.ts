import type { Surroundings } from '../cli/command-context.ts';
import { environment } from './config/config.ts';

const SERVER = 'http://127.0.0.1:4402';

/** What the commands that ask a service want to know of the environment: nothing of it is a secret. */
export function readCliConfig(variables: NodeJS.ProcessEnv = environment()): Surroundings['settings'] {
  const { ASSAY_SERVER = '', NO_COLOR = '', TERM = '' } = variables;
  const cursor = TERM !== 'dumb';
  return { server: ASSAY_SERVER === '' ? SERVER : ASSAY_SERVER, colour: cursor && NO_COLOR === '', cursor };
}
