import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';

/** The members that lead to a value, outermost first. */
export type Path = readonly string[];

export function pathOf(text: string): Path {
  return text === '' ? [] : text.split('.');
}

/** Own members only; undefined as soon as one is missing. */
export function valueAt(object: JsonObject, path: Path): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (!isJsonObject(value)) return undefined;
    value = member(value, key);
  }
  return value;
}

/**
 * The first readable value. An endpoint inside an entry is searched before the entry around it, and each by the paths in
 * their order.
 */
export function firstRead<T>(
  scopes: readonly JsonObject[],
  paths: readonly Path[],
  read: (value: unknown) => T | null,
): T | null {
  for (const scope of scopes) {
    for (const path of paths) {
      const value = valueAt(scope, path);
      const found = value === undefined || value === null ? null : read(value);
      if (found !== null) return found;
    }
  }
  return null;
}
