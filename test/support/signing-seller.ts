import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { httpAnswer, type Script } from './probing/fake-seller.ts';
import { scriptedSeller } from './probing/scripted-seller.ts';
import { NOON, type Sent } from './running/running-service.ts';

/** The owner of a host, with a key. */
export interface Owner {
  /** Raw public key in base64url. */
  readonly key: string;
  readonly token: string;
  /** A signed document with exactly this text. */
  signed(statement: string): { statement: string; key: string; signature: string };
  /** A signed document about this URL. */
  document(statement: object): { statement: string; key: string; signature: string };
  /** A request to /v1/sellers with one. */
  request(statement: object, changes?: object): Sent;
}

export function anOwner(): Owner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'jwk' }).x ?? '';
  const signed = (statement: string) => signedDocument(statement, key, privateKey);
  const document = (statement: object) => signed(JSON.stringify(statement));
  return {
    key,
    signed,
    token: `assay-verify=ed25519:${key}`,
    document,
    request: (statement, changes = {}) =>
      posting({ ...document({ at: NOON.toISOString(), ...statement }), ...changes }),
  };
}

function signedDocument(statement: string, key: string, privateKey: KeyObject) {
  const signature = sign(null, Buffer.from(`assay-seller-v1\n${statement}`), privateKey).toString(
    'base64url',
  );
  return { statement, key, signature };
}

export function posting(body: unknown): Sent {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** The usual seller; every host whose name begins with 'owned' publishes the tokens that are in the list at the time. */
export function publishing(tokens: readonly string[], otherwise: Script = scriptedSeller): Script {
  return (socket, request) => {
    const isFile = request.startsWith('GET /.well-known/assay-verify.txt ');
    if (isFile && /\r\nhost: owned/i.test(request)) {
      socket.end(httpAnswer(200, [['Content-Type', 'text/plain']], `# keys\n${tokens.join('\n')}\n`));
    } else if (isFile) socket.end(httpAnswer(404, [], 'nothing here'));
    else otherwise(socket, request);
  };
}
