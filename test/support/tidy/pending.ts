/** Violations that are known and about to be removed. One that is gone fails the test until its line is deleted here. */
export const PENDING: ReadonlySet<string> = new Set([]);
