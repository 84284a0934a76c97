import { readAtMost } from '../read-at-most.ts';
import { sha256 } from '../sha256.ts';

export type FetchInput = Parameters<typeof globalThis.fetch>[0];

/** Known by its URL: the fetch below may take the Request of another copy of fetch, which is no instance of the global one. */
export function requestIn(input: FetchInput): Request | null {
  return typeof input === 'object' && input !== null && 'url' in input ? input : null;
}

/** A body that can be sent again, or the fact that it cannot. */
export type CallBody =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly sha256: string;
      /** The content type that fetch gives such a body. */
      readonly type: string | null;
    }
  /** What only its consumer can read, or more than is kept. */
  | { readonly kind: 'stream' };

/** A purchase may have to be sent again, so its body is kept until the answer. */
const BODY_MAX_BYTES = 16 * 1_048_576;

const NO_BODY: CallBody = { kind: 'none' };
const STREAM: CallBody = { kind: 'stream' };
/** What fetch gives text, and whatever it makes text of. A Blob has its own in small letters. */
const TEXT = 'text/plain;charset=UTF-8';

/**
 * Reads a copy, beside the sending of the request itself: a stream goes out as it comes. Bytes and text are read at once; FormData,
 * Blob and URLSearchParams become the bytes and the type that fetch would send.
 */
export function readBody(
  input: FetchInput,
  init: RequestInit | undefined,
  headers: Headers | null,
): CallBody | Promise<CallBody> {
  const given = init?.body ?? null;
  const request = requestIn(input);
  const sent = headers?.get('content-type') ?? null;
  if (given === null) return request === null || request.body === null ? NO_BODY : ofRequest(request, sent);
  if (typeof given === 'string') {
    return bytesOf(new TextEncoder().encode(given), { own: TEXT, sent });
  }
  // Called without types, it may be a number.
  if (typeof given !== 'object' || given instanceof ReadableStream || Symbol.asyncIterator in given)
    return STREAM;
  const read = new Request('http://localhost/', { method: 'POST', body: given });
  // A form of another copy of fetch: this one knows only the name of its class.
  return read.headers.get('content-type') === TEXT ? STREAM : ofRequest(read, sent);
}

function ofRequest(request: Request, sent: string | null): Promise<CallBody> {
  const type = { own: request.headers.get('content-type'), sent };
  const read = readAtMost(request.clone().body, BODY_MAX_BYTES).then(
    (bytes): CallBody => (typeof bytes === 'string' ? STREAM : bytesOf(bytes, type)),
  );
  // A body that breaks off breaks the sending as well, which is what the caller hears of.
  read.catch(() => {});
  return read;
}

/** The type that fetch gives such a body, and the one in the headers, which it sends instead. */
interface BodyType {
  readonly own: string | null;
  readonly sent: string | null;
}

function bytesOf(bytes: Uint8Array<ArrayBuffer>, { own, sent }: BodyType): CallBody {
  if (bytes.byteLength > BODY_MAX_BYTES) return STREAM;
  return { kind: 'bytes', bytes, sha256: sha256(withoutBoundary(bytes, sent ?? own)), type: own };
}

const BOUNDARY = /^multipart\/.*;\s*boundary="?([^";]{1,70})/i;

/** Each sending of the same form has another boundary, and is the same request all the same. */
function withoutBoundary(bytes: Uint8Array, type: string | null): Uint8Array | string {
  const boundary = BOUNDARY.exec(type ?? '')?.[1];
  if (boundary === undefined) return bytes;
  // With its dashes: a short one may be a word of the form.
  return new TextDecoder('latin1').decode(bytes).replaceAll(`--${boundary}`, '--');
}
