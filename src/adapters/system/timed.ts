type Outcome = { readonly kind: string };

/** Wraps a function: reports the kind of each result, or a fault. */
export function timed<Asked extends readonly unknown[], Answered extends Outcome>(
  call: (...asked: Asked) => Promise<Answered>,
  tell: (outcome: string, seconds: number) => void,
): (...asked: Asked) => Promise<Answered> {
  return async (...asked) => {
    const from = performance.now();
    const took = () => (performance.now() - from) / 1_000;
    try {
      const answer = await call(...asked);
      tell(answer.kind, took());
      return answer;
    } catch (fault) {
      tell('fault', took());
      throw fault;
    }
  };
}

/** Wraps a store: times every method of every port. */
export function timedStore<Store extends object>(
  store: Store,
  tell: (port: string, call: string, seconds: number) => void,
): Store {
  const ports = Object.entries(store).map(([port, its]): [string, unknown] => {
    if (typeof its !== 'object' || its === null) return [port, its];
    const methods = Object.entries(its).map(([call, method]): [string, unknown] => [
      call,
      typeof method === 'function' ? timing(method, its, (seconds) => tell(port, call, seconds)) : method,
    ]);
    return [port, Object.fromEntries(methods)];
  });
  // Same names, arguments and results.
  return Object.fromEntries(ports) as Store;
}

// biome-ignore lint/complexity/noBannedTypes: any method of any port, called with what the caller gives it.
function timing(method: Function, port: object, tell: (seconds: number) => void) {
  return async (...values: unknown[]): Promise<unknown> => {
    const from = performance.now();
    try {
      return await Reflect.apply(method, port, values);
    } finally {
      tell((performance.now() - from) / 1_000);
    }
  };
}
