/** What every MCP client transport has, in either line of the SDK. Members that are not named here pass through. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Of a transport with a request for each message; others ignore it. Other members pass through. */
export interface SendOptions {
  /** Where an earlier request is continued, instead of a new one being sent. */
  readonly resumptionToken?: string | undefined;
  readonly requestSignal?: AbortSignal | undefined;
  readonly onRequestStreamEnd?: (() => void) | undefined;
}
