import { expect } from 'vitest';
import type { Ask, Received, Sent } from './running/running-service.ts';

/** What a browser says that it likes. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Sends the form of the front page, as a browser does that stands on it. */
export function sendForm(
  ask: Ask,
  fields: Readonly<Record<string, string>>,
  sent: Sent = {},
): Promise<Received> {
  const headers = {
    ...BROWSER,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    ...sent.headers,
  };
  return ask('/check', { ...sent, method: 'POST', body: String(new URLSearchParams(fields)), headers });
}

/** The words of a page without its markup. */
export function wordsOf({ text }: Pick<Received, 'text'>): string {
  return text
    .replace(/<(?:script|style)[\s\S]*?<\/(?:script|style)>/g, ' ')
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replaceAll(' .', '.')
    .replaceAll(' ,', ',');
}

/** Nothing of a stranger has become markup, a link elsewhere or something unseen, and the page is whole. */
export function expectUnbroken({ text }: Pick<Received, 'text'>): void {
  expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  expect(
    (text.match(/<script[^>]*>/g) ?? []).filter((tag) => tag !== '<script src="/assay.js" defer>'),
  ).toEqual([]);
  expect(text).not.toMatch(/<(?:style|iframe|object|embed|base|!--)/i);
  const attributes = [...text.matchAll(/<[a-z][^\s>]*((?:[^>"]|"[^"]*")*)>/gi)].flatMap(([, rest = '']) =>
    [...rest.replace(/"[^"]*"/g, '""').matchAll(/([^\s=>]+)=/g)].map(([, name = '']) => name),
  );
  expect(attributes.filter((name) => /^(?:on.*|style|srcdoc|formaction)$/i.test(name))).toEqual([]);
  const targets = [...text.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !HARMLESS.test(target))).toEqual([]);
  expect(text).not.toMatch(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
}

/** Our own places, an explorer's, and whoever the operator names. */
const HARMLESS =
  /^(?:\/(?!\/)|#[a-z][a-z0-9_-]*$|https:\/\/(?:assay\.example\.org|basescan\.org|etherscan\.io|polygonscan\.com|solscan\.io)\/|mailto:hello@)/;
