/** What was asked and answered, for the test that runs the program. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

export interface Task {
  readonly base: string;
  /** Of an endpoint that is safe to check. */
  readonly url: string;
  readonly buyerKey: `0x${string}`;
  /** The address that the program calls from. */
  readonly caller: string;
}

export function readTask(): Task {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Every answer is noted as it came, before a client reads it. */
export function recordingFetch({ caller }: Task) {
  const exchanges: Exchange[] = [];
  const record = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    request.headers.set('x-forwarded-for', caller);
    const response = await fetch(request);
    exchanges.push({
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      contentType: response.headers.get('content-type'),
      text: await response.clone().text(),
    });
    return response;
  };
  return { record, report: () => process.stdout.write(JSON.stringify(exchanges)) };
}

/** The value, or an error: the program cannot go on without it. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`no ${what}`);
  return value;
}

const NO_KEY = 'A'.repeat(43);

/** A request of an owner that is none. */
export function strangersRequest(url: string) {
  const at = new Date().toISOString();
  const statement = JSON.stringify({ action: 'retest', url, at });
  return { statement, key: NO_KEY, signature: 'A'.repeat(86) };
}
