import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** A time, to the minute. */
export function shownTime(time: Date): Html {
  const iso = time.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** A time to the second, where a deadline depends on it. */
export function shownSecond(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${secondOf(time)}</time>`;
}

/** The same without markup. */
export function secondOf(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const UNITS: readonly [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago something was, in the largest unit that fits. */
export function age(time: Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1_000));
  for (const [name, size] of UNITS) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
