import type { Headers } from './answer.ts';

export function cachedFor(seconds: number): Headers {
  return { 'cache-control': `public, max-age=${seconds}` };
}

export const FOR_MOMENTS = cachedFor(2);
export const FOR_HALF_A_MINUTE = cachedFor(30);
export const FOR_A_MINUTE = cachedFor(60);
export const FOR_FIVE_MINUTES = cachedFor(300);
export const FOR_AN_HOUR = cachedFor(3_600);
export const FOR_A_DAY = cachedFor(86_400);
/** For what never changes under its address. */
export const FOR_EVER: Headers = { 'cache-control': 'public, max-age=31536000, immutable' };
