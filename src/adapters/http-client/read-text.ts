/** However small the chunks are: each takes memory of its own. */
const CHUNKS_MAX = 4_096;

/** The body of an answer as text; null beyond the limit. */
export async function readText({ body }: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (length > maxBytes || chunks.length >= CHUNKS_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
