import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK reports invalid params as an internal error and repeats its schema messages to the caller. `_wrapHandler` is the hook
 * that it documents for subclasses; its name says that it may change, so a test pins the version.
 */
export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (fault) {
        if (fault instanceof ProtocolError) throw fault;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params for ${method}.`);
      }
    };
  }
}

/** Our own handler. What it throws is a bug: it is logged and not shown to the caller. */
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
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error; it has been logged.');
    }
  };
}
