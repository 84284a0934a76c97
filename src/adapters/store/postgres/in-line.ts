/** Runs a task once all earlier tasks with a name in common are over. */
export type InLine = <T>(names: readonly string[], task: () => Promise<T>) => Promise<T>;

/**
 * Calls of one process that lock the same row wait here, in the order in which they came, and not each on a connection of its
 * own: a busy row cannot use up the pool.
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
