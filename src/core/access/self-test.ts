import { createHash, timingSafeEqual } from 'node:crypto';

/** The exempt tier is a secret, never a name (gap G05). Without a configured key nobody is exempt. */
export function isSelfTest(authorization: string | null, selfTestKey: string | null): boolean {
  const token = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
  if (token === undefined || selfTestKey === null || selfTestKey === '') return false;
  return timingSafeEqual(digest(token), digest(selfTestKey));
}

const BEARER = /^Bearer ([\x21-\x7e]{1,256})$/i;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
