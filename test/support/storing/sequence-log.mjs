/** Sequences a transparency log as a process of the service does, and may die at a step of a round. */
import { createLogKeeper } from '../../../dist/flows/log/keep-log.js';
import { logKeysOf } from '../../../dist/main/build/log-keys.js';

const ENTRIES_A_ROUND = 7;

/**
 * `dies`: before a round appends, or between the commit and publishing; `inside` adds an entry, and whoever places it says so
 * and is killed by the test. It says each checkpoint that a client could have got, and each entry that was added.
 */
export async function sequence(store, { rounds, dies, prefix, secret, origin, entry }, say) {
  const log = store.transparencyLog;
  let round = 0;
  const die = async (step) => {
    if (dies !== step || round < rounds / 2) return;
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  };
  const dying = {
    ...log,
    async append(limit, grow) {
      await die('before');
      const appended = await log.append(limit, (waiting) => {
        if (waiting.entries.some((one) => one.includes('die-'))) say('inside');
        return grow(waiting);
      });
      if (appended.kind === 'appended') await die('after');
      return appended;
    },
  };
  const keeper = createLogKeeper({
    ...logKeysOf({ key: null, oldKey: null }, secret),
    log: dying,
    mark: { read: async () => null, keep: async () => {} },
    origin,
    isOriginSet: true,
    stopwatch: () => performance.now(),
    async publish({ tree, size, checkpoint }) {
      if (checkpoint !== null) await log.publish(tree, { size, note: checkpoint }, false);
      return 'published';
    },
  });
  await keeper.open();
  // One that dies after its commit goes on until it has been the one to append.
  const last = dies === 'after' ? 50 * rounds : rounds;
  for (; round < last; round += 1) {
    const isLast = dies === 'inside' && round === Math.ceil(rounds / 2);
    const ids = Array.from({ length: ENTRIES_A_ROUND }, (_, nth) => `${prefix}-${round}-${nth}`);
    if (isLast) ids.push(`die-${prefix}`);
    await log.add(ids.map((id) => ({ id, entry: entry.replace('ID', id) })));
    for (const id of ids) say(`added ${id}`);
    await keeper.round();
    const { published } = await log.current();
    if (published !== null) say(`saw ${Buffer.from(published.note).toString('base64')}`);
  }
  say(`state ${keeper.state()}`);
  await store.close();
}
