import { sha256 } from '../sha256.ts';

/** Headers by which sellers tell their users apart. */
const NAMES = ['authorization', 'cookie', 'x-api-key', 'api-key'];

/** What a caller logs in with. */
export function loginIn(headers: Headers | null): readonly (readonly [name: string, value: string])[] {
  return NAMES.flatMap((name) => {
    const value = headers?.get(name) ?? null;
    return value === null ? [] : [[name, value] as const];
  });
}

export function credentialsIn(headers: Headers | null): string | null {
  const login = loginIn(headers);
  return login.length === 0 ? null : sha256(JSON.stringify(login));
}
