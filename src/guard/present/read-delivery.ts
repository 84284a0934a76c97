import { atUrl } from '../challenge/read-402.ts';
import type { Answer, PurchaseState } from '../ledger/purchase.ts';
import { joined } from '../read-at-most.ts';
import { runningSha256, sha256 } from '../sha256.ts';

/** Up to here a body is read before it is passed on: what breaks off on the way can then be asked for again. */
const WHOLE_MAX_BYTES = 1_048_576;

export interface Delivered {
  readonly response: Response;
  /** A copy for a concurrent caller; null for a stream, which only one can read. */
  readonly copy: (() => Response) | null;
}

export interface Delivery {
  readonly url: string;
  end(state: PurchaseState, more?: Partial<Answer>): Promise<void>;
}

/**
 * What the seller delivered, with its hash written down. A small body is read at once; a stream is passed on as it comes and is
 * `delivering` until it ends. Rejects when a small body breaks off.
 */
export async function readDelivery(response: Response, { url, end }: Delivery): Promise<Delivered> {
  if (response.body === null) {
    await end('empty', { bytes: 0 });
    return { response, copy: () => sameWith(response, null, url) };
  }
  if (!isReadWhole(response)) {
    await end('delivering');
    return { response: passedOn(response, [], response.body.getReader(), { url, end }), copy: null };
  }
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
    length += piece.value.byteLength;
    if (length > WHOLE_MAX_BYTES) {
      await end('delivering');
      return { response: passedOn(response, pieces, reader, { url, end }), copy: null };
    }
  }
  const bytes = joined(pieces, length);
  if (length === 0) await end('empty', { bytes: 0 });
  else await end('delivered', { bytes: length, sha256: sha256(bytes) });
  const copy = () => sameWith(response, bytes, url);
  return { response: copy(), copy };
}

/** JSON is of use only as a whole; any other type of unknown length may be meant to be read as it comes. */
function isReadWhole({ headers }: Response): boolean {
  const length = headers.get('content-length');
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return false;
  return length === null ? type === '' || JSON_TYPE.test(type) : Number(length) <= WHOLE_MAX_BYTES;
}

const JSON_TYPE = /^application\/(?:[a-z.-]{1,60}\+)?json\b/i;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function passedOn(
  response: Response,
  first: readonly Uint8Array[],
  reader: Reader,
  { url, end }: Delivery,
): Response {
  const hash = runningSha256();
  const pass = (controller: ReadableStreamDefaultController<Uint8Array>, piece: Uint8Array) => {
    hash.add(piece);
    controller.enqueue(piece);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        for (const piece of first) pass(controller, piece);
      },
      async pull(controller) {
        const piece = await reader.read().catch(async (fault: unknown) => {
          await end('unknown', { bytes: hash.bytes });
          throw fault;
        });
        if (!piece.done) return pass(controller, piece.value);
        if (hash.bytes === 0) await end('empty', { bytes: 0 });
        else await end('delivered', { bytes: hash.bytes, sha256: hash.end() });
        controller.close();
      },
      // The caller has what it wanted of it, unless nothing came.
      async cancel(reason) {
        await end(hash.bytes === 0 ? 'unknown' : 'delivered', { bytes: hash.bytes });
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return sameWith(response, stream, url);
}

function sameWith(
  response: Response,
  body: ConstructorParameters<typeof Response>[0],
  url: string,
): Response {
  const { status, statusText, headers } = response;
  return atUrl(new Response(body, { status, statusText, headers }), url);
}
