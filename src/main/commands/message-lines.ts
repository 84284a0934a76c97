import { Transform } from 'node:stream';
import { deserializeMessage, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { STDIO_LINE_MAX_BYTES } from '../../core/limits.ts';
import { INVALID_REQUEST, PARSE_ERROR, rpcError } from '../../wire/mcp/rpc-error.ts';
import { repeatedName } from '../../wire/requests/repeated-name.ts';

/**
 * Passes on the lines that are JSON-RPC messages and refuses the others. The transport of the SDK drops those without an answer,
 * for which the client would wait, and ends at a long one.
 */
export function messageLines(refuse: (answer: string) => void): Transform {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    length += piece.length;
    if (length <= STDIO_LINE_MAX_BYTES) pieces.push(piece);
    else pieces = [];
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
        take(chunk.subarray(from, end));
        const line = Buffer.concat(pieces).toString();
        const refusal = length > STDIO_LINE_MAX_BYTES ? TOO_LONG : refusalOf(line);
        if (refusal !== null) refuse(`${refusal}\n`);
        else if (line.trim() !== '') this.push(`${line}\n`);
        pieces = [];
        length = 0;
        from = end + 1;
      }
      take(chunk.subarray(from));
      done();
    },
  });
}

const TOO_LONG = refusalText(INVALID_REQUEST, `The line has more than ${STDIO_LINE_MAX_BYTES} bytes.`);

function refusalOf(line: string): string | null {
  if (line.trim() === '') return null;
  let message: JSONRPCMessage;
  try {
    message = deserializeMessage(line);
  } catch (fault) {
    return fault instanceof SyntaxError
      ? refusalText(PARSE_ERROR, 'The line is not valid JSON.')
      : refusalText(INVALID_REQUEST, 'The line is not one JSON-RPC message.');
  }
  // As over HTTP (gap G04).
  return repeatedName(line) === null
    ? null
    : refusalText(INVALID_REQUEST, 'An object in the message has a name twice.', requestId(message, line));
}

const ID: ReadonlySet<string> = new Set(['id']);

/** Null where no request waits for an answer, and where the id itself is in doubt. */
function requestId(message: JSONRPCMessage, line: string): string | number | null {
  return isJSONRPCRequest(message) && repeatedName(line, ID) === null ? message.id : null;
}

function refusalText(code: number, message: string, id: string | number | null = null): string | null {
  return rpcError(400, code, message, { id }).body;
}
