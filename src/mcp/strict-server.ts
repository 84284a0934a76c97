import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK takes params of a wrong shape for an error of its own, and repeats to the caller what its schemas said. */
export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (fault) {
        if (fault instanceof ProtocolError) throw fault;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The params of ${method} are not valid.`);
      }
    };
  }
}

/** Our own work behind a request. What it throws is told to nobody: it is a bug of ours, and belongs into the log. */
export function guarded<Sent extends readonly unknown[], Done>(
  work: (...sent: Sent) => Done | Promise<Done>,
  onFault: (fault: unknown) => void,
): (...sent: Sent) => Promise<Done> {
  return async (...sent) => {
    try {
      return await work(...sent);
    } catch (fault) {
      if (fault instanceof ProtocolError) throw fault;
      onFault(fault);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something failed here; it has been noted.');
    }
  };
}
