/** The id of the tree of a run. */
export function runTree(runId: string): string {
  return `${PREFIX}${runId}`;
}

/** Null for the tree of an epoch. */
export function runOfTree(tree: string): string | null {
  return tree.startsWith(PREFIX) ? tree.slice(PREFIX.length) : null;
}

/** The name of the tree of a run, below the epoch that has its entry. */
export function runOrigin(origin: string, runId: string): string {
  return `${origin}/run/${runId}`;
}

const PREFIX = 'run:';
