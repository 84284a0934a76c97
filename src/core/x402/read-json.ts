/** An untrusted JSON object: own members only, of unknown types. */
export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only: '__proto__' in a challenge is data, and inherited names are never a payee (enc-41, enc-43). */
export function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The same of any value: what is no object has no members. */
export function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) ? member(value, key) : undefined;
}

export function textMember(holder: unknown, key: string, shape: RegExp): string | null {
  const value = memberOf(holder, key);
  return typeof value === 'string' && shape.test(value) ? value : null;
}

/** The value, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
