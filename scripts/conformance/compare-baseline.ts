/** What one scenario found; a warning counts as a failure. */
export interface Scenario {
  readonly name: string;
  readonly checks: readonly { readonly id: string; readonly status: string }[];
}

export interface Comparison {
  readonly passed: number;
  readonly expected: readonly string[];
  /** They fail, and the baseline does not say so. */
  readonly unexpected: readonly string[];
  /** The baseline says that they fail, and they do not, or are gone. */
  readonly stale: readonly string[];
}

export function compareBaseline(scenarios: readonly Scenario[], baseline: readonly string[]): Comparison {
  const passing = scenarios.flatMap(({ checks }) => checks.filter(({ status }) => status === 'SUCCESS'));
  const failing = new Set(
    scenarios.flatMap(({ name, checks }) =>
      checks.filter(({ status }) => isFailure(status)).map(({ id }) => `${name}:${id}`),
    ),
  );
  const known = new Set(baseline);
  return {
    passed: passing.length,
    expected: [...failing].filter((entry) => known.has(entry)),
    unexpected: [...failing].filter((entry) => !known.has(entry)),
    stale: baseline.filter((entry) => !failing.has(entry)),
  };
}

function isFailure(status: string): boolean {
  return !['SUCCESS', 'INFO', 'SKIPPED'].includes(status);
}

/**
 * The entries of a baseline, `scenario:check` each. It is YAML that the suite reads too, but so little of it that a line is
 * a comment, the heading or an entry; an entry without a comment above it has no reason and is refused.
 */
export function readBaseline(text: string): string[] {
  const entries: string[] = [];
  let hasReason = false;
  for (const line of text.split('\n')) {
    const [, entry] = /^ {2}- ([a-z0-9-]+:[a-z0-9-]+)$/.exec(line) ?? [];
    if (entry !== undefined) {
      if (!hasReason) throw new Error(`the baseline has no reason for ${entry}`);
      if (entries.includes(entry)) throw new Error(`the baseline has ${entry} twice`);
      entries.push(entry);
    } else if (/^ {2}# \S/.test(line)) {
      hasReason = true;
    } else if (line === '') {
      hasReason = false;
    } else if (line !== 'server:') {
      throw new Error(`the baseline has a line that is none: ${line}`);
    }
  }
  return entries;
}
