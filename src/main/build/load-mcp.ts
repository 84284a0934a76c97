import type { AnswerMcp } from '../../wire/mcp/mcp-port.ts';

/** Loading MCP takes a fifth of a start, so the first MCP call loads it. */
export function loadMcpOnFirstCall(onFault: (fault: unknown) => void, sells: boolean): AnswerMcp {
  let loaded: Promise<AnswerMcp> | null = null;
  const load = async () => {
    const { createAnswerMcp } = await import('../../mcp/answer-mcp.ts');
    return createAnswerMcp(onFault, sells);
  };
  return async (call) => {
    loaded ??= load();
    return (await loaded)(call);
  };
}
