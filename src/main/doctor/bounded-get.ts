/** An HTTP answer with at most 256 kB of its body. */
export interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

const TIMEOUT_MS = 4_000;
const BODY_MAX_BYTES = 262_144;

/** One GET without following redirects; throws when there is no answer in time. */
export async function boundedGet(
  send: typeof fetch,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const response = await send(url, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, headers: response.headers, text: await beginning(response) };
}

async function beginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (length >= BODY_MAX_BYTES || chunks.length >= CHUNKS_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, BODY_MAX_BYTES).toString('utf8');
}

const CHUNKS_MAX = 4_096;

/** Why a request failed, as a code: messages of the library name addresses, which may contain keys. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown error';
  if (fault.name === 'TimeoutError') return 'no answer in time';
  for (let at: unknown = fault; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return fault.name;
}
