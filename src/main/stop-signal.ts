/** Comes with SIGTERM or Ctrl-C. What is under way is finished: money may have moved for it, or a host is waiting. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
