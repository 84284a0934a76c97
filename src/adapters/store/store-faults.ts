import { StoreFault } from '../../ports/store-fault.ts';

/** The same port, except that whatever it throws is a StoreFault with the error as its cause. */
export function withStoreFaults<Port extends object>(port: Port): Port {
  const methods = Object.entries(port).map(([name, method]): [string, unknown] => [
    name,
    typeof method === 'function' ? failing(method, port) : method,
  ]);
  // Same names, same arguments, same answers: only what is thrown differs.
  return Object.fromEntries(methods) as Port;
}

// biome-ignore lint/complexity/noBannedTypes: any method of any port, called with what the caller gives it.
function failing(method: Function, port: object) {
  return async (...values: unknown[]): Promise<unknown> => {
    try {
      return await Reflect.apply(method, port, values);
    } catch (cause) {
      throw new StoreFault('the store failed', { cause });
    }
  };
}
