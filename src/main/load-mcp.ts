import type { AnswerMcp } from '../wire/mcp/mcp-port.ts';

/** Loading it takes a fifth of a start; the first caller waits for it instead of everybody. */
export function loadMcpOnce(onFault: (fault: unknown) => void): AnswerMcp {
  let loaded: Promise<AnswerMcp> | null = null;
  const load = async () => {
    const { createAnswerMcp } = await import('../mcp/answer-mcp.ts');
    return createAnswerMcp(onFault);
  };
  return async (call) => {
    loaded ??= load();
    const answer = await loaded;
    return answer(call);
  };
}
