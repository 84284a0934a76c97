/** Concurrent callers of one key share one call. The key is forgotten when the call settles, so a failure is retried. */
export function singleFlight<K, V>(): (key: K, work: () => Promise<V>) => Promise<V> {
  const flights = new Map<K, Promise<V>>();
  return (key, work) => {
    const running = flights.get(key);
    if (running !== undefined) return running;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
