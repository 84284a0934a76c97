import { parseJson } from '../../core/x402/read-json.ts';

/** Longer lines are dropped: the client takes a missing answer for a refusal. */
const LINE_MAX_CHARS = 1_048_576;

/** The JSON of each line, bounded. Lines that are no JSON are dropped too. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const piece of input) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const [first = '', ...lines] = text.split('\n');
    isTooLong ||= rest.length + first.length > LINE_MAX_CHARS;
    rest = isTooLong ? '' : rest + first;
    for (const line of lines) {
      if (!isTooLong) yield* messageIn(rest);
      isTooLong = line.length > LINE_MAX_CHARS;
      rest = isTooLong ? '' : line;
    }
  }
  if (!isTooLong) yield* messageIn(rest);
}

function* messageIn(line: string): Generator<unknown> {
  const message = parseJson(line);
  if (message !== undefined) yield message;
}
