import { isJsonObject } from '../../core/x402/read-json.ts';
import { loginIn } from '../call/credentials.ts';
import { sha256 } from '../sha256.ts';

/** Who the client is to the server, as headers: the guard tells callers apart by them. They are only hashed, never sent. */
export function loginOf(account: string | undefined, transport: object): Readonly<Record<string, string>> {
  if (account !== undefined) return { authorization: sha256(account) };
  // The SDK's transports keep what they add to each request in a member of their own.
  const added = isJsonObject(transport) ? transport['_requestInit'] : undefined;
  if (!isJsonObject(added)) return {};
  // What the transport hands to fetch itself.
  return Object.fromEntries(loginIn(new Headers(added['headers'] as RequestInit['headers'])));
}
