/** Not the bytes when there are more, or when the end does not come in time. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  max: number,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer> | 'too_much' | 'too_late'> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  let fault: 'too_much' | 'too_late' | null = null;
  const cut = (why: 'too_much' | 'too_late') => {
    fault = why;
    // Not awaited: the other branch of a copied body may never be read. What is cancelled reads as ended.
    reader.cancel().catch(() => {});
  };
  const timer = Number.isFinite(withinMs) ? setTimeout(() => cut('too_late'), withinMs) : undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      length += piece.value.byteLength;
      if (length > max) cut('too_much');
    }
  } finally {
    clearTimeout(timer);
  }
  return fault ?? joined(pieces, length);
}

export function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
