import type { Received } from '../running/running-service.ts';
import { PASSWORD } from './hostile-input.ts';

/** What is wrong with an answer, whatever was asked. */
export function unsound(answer: Received, statuses: readonly number[]): string[] {
  const { status, text, header } = answer;
  const type = header('content-type') ?? '';
  const rules: [boolean, string][] = [
    [statuses.includes(status), `status ${status}`],
    [/^request-\d+$/.test(header('x-request-id') ?? ''), 'no request id'],
    [header('access-control-allow-origin') === '*', 'no CORS'],
    [header('x-injected') === null, 'a header of the caller'],
    [!text.includes(PASSWORD), 'a password'],
    [!/node_modules|\n {4}at |\.ts:\d/.test(text), 'our internals'],
    [text === '' || isReadable(text, type), `unreadable ${type}`],
    // What is wrong with a form is said on the page itself.
    [status < 400 || status === 402 || text === '' || isPage(type) || isProblem(answer), 'no problem body'],
  ];
  return rules.filter(([holds]) => !holds).map(([, name]) => `${name}: ${text.slice(0, 200)}`);
}

function isPage(type: string): boolean {
  return type.startsWith('text/html');
}

function isReadable(text: string, type: string): boolean {
  if (isPage(type)) return /^<!doctype html>.*<\/html>\s*$/s.test(text);
  return !type.includes('json') || isJson(text);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isProblem({ status, json, header }: Received): boolean {
  return (
    header('content-type') === 'application/problem+json; charset=utf-8' &&
    /^https:\/\/[a-z.]+\/problems#[a-z_]+$/.test(json.type) &&
    [json.title, json.detail].every((text) => typeof text === 'string' && text !== '') &&
    [json.status, json.instance, json.error].join() ===
      [status, header('x-request-id'), json.detail].join() &&
    json.type.endsWith(`#${json.code}`)
  );
}
