import { readFileSync } from 'node:fs';
import { projectFile } from './project-file.ts';

/** What `npm start` tells Node, for whoever starts the service otherwise and measures it. */
export function startFlags(): readonly string[] {
  // Our own file.
  const { scripts } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
