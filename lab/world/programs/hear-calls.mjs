/**
 * The side of a process that is controlled by lab/world/controlled.ts: it answers calls by name and ends with whoever
 * started it. Programs of this folder import the built files, because they run without a compiler.
 */
export function hearCalls(handlers) {
  process.on('message', ({ id, name, given }) => {
    Promise.resolve()
      .then(() => handlers[name](given))
      .then(
        (value) => process.send({ id, value }),
        (fault) => process.send({ id, fault: fault instanceof Error ? fault.message : String(fault) }),
      );
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: true });
}
