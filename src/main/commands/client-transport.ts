import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { messageLines } from './message-lines.ts';

/** To the MCP client on standard input and output. It does not see the end of the input: it would drop pending answers. */
export function clientTransport(): StdioServerTransport {
  const lines = messageLines((answer) => process.stdout.write(answer));
  // The last line may have no end.
  process.stdin.once('end', () => lines.write('\n'));
  return new StdioServerTransport(process.stdin.pipe(lines, { end: false }), process.stdout);
}
