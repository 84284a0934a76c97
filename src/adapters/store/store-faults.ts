import { StoreFault } from '../../ports/store-fault.ts';

/** The same port, but every error is a StoreFault with the original error as its cause. */
export function withStoreFaults<Port extends object>(port: Port): Port {
  const methods = Object.entries(port).map(([name, method]): [string, unknown] => [
    name,
    typeof method === 'function' ? failing(method, port) : method,
  ]);
  // Same names, arguments and answers; only what is thrown differs.
  return Object.fromEntries(methods) as Port;
}

// biome-ignore lint/complexity/noBannedTypes: any method of any port, called with what the caller gives it.
function failing(method: Function, port: object) {
  // Not async: every counted call passes here, and would wait for another promise.
  return (...values: unknown[]): Promise<unknown> => {
    try {
      return Promise.resolve(Reflect.apply(method, port, values)).catch(fail);
    } catch (cause) {
      return Promise.reject(storeFault(cause));
    }
  };
}

function fail(cause: unknown): never {
  throw storeFault(cause);
}

function storeFault(cause: unknown): StoreFault {
  return new StoreFault('the store failed', { cause });
}
