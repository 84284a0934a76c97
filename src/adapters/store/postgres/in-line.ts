/** Runs a task after all earlier tasks that share a name with it. */
export type InLine = <T>(names: readonly string[], task: () => Promise<T>) => Promise<T>;

/**
 * Transactions of this process that lock the same row wait here, in order of arrival, and not each on its own connection: a
 * contended row cannot exhaust the pool.
 */
export function inLine(): InLine {
  const last = new Map<string, Promise<unknown>>();
  return (names, task) => {
    const earlier = names.flatMap((name) => last.get(name) ?? []);
    const run = earlier.length === 0 ? task() : Promise.allSettled(earlier).then(task);
    for (const name of names) last.set(name, run);
    const leave = () => {
      for (const name of names) if (last.get(name) === run) last.delete(name);
    };
    run.then(leave, leave);
    return run;
  };
}
