import type { ProbeMethod } from '../verdict/probe-outcome.ts';

const METHODS_MAX = 8;
const METHOD_MAX_CHARS = 500;

/** 'post', 'GET|POST' or ['POST']; null when absent. Methods that a probe does not use become GET. */
export function readMethod(value: unknown): ProbeMethod | null {
  const texts = (Array.isArray(value) ? value.slice(0, METHODS_MAX) : [value]).filter(isShortText);
  const verbs = new Set<string>(texts.flatMap((text) => text.toUpperCase().match(/[A-Z]+/g) ?? []));
  if (verbs.size === 0) return null;
  return verbs.has('POST') && !verbs.has('GET') ? 'POST' : 'GET';
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= METHOD_MAX_CHARS;
}
