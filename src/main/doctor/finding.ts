/** The result of one check of `assay doctor`. */
export interface Finding {
  readonly name: string;
  /** `off`: does not apply with these settings; the text names the one that turns it on. */
  readonly status: 'ok' | 'warning' | 'failure' | 'off';
  readonly says: string;
  readonly fix?: string;
}

export type Verdict = Omit<Finding, 'name'>;

export function ok(says: string): Verdict {
  return { status: 'ok', says };
}

export function off(says: string): Verdict {
  return { status: 'off', says };
}

export function warning(says: string, fix: string): Verdict {
  return { status: 'warning', says, fix };
}

export function failure(says: string, fix: string): Verdict {
  return { status: 'failure', says, fix };
}
