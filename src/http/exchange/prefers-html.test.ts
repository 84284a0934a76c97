import { describe, expect, it } from 'vitest';
import { prefersHtml, prefersJson } from './prefers-html.ts';

describe('a page is preferred to JSON', () => {
  it.each<[string, string | null, boolean]>([
    ['nothing was said', null, false],
    ['nothing at all', '', false],
    ['anything will do, as curl says', '*/*', false],
    [
      'a browser asks',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      true,
    ],
    ['only a page is wanted', 'text/html', true],
    ['any text is wanted', 'text/*', true],
    ['in upper case', 'TEXT/HTML', true],
    ['with a parameter', 'text/html;charset=utf-8', true],
    ['only JSON is wanted', 'application/json', false],
    ['both in this order', 'text/html, application/json', false],
    ['both in the other order', 'application/json, text/html', false],
    ['JSON is liked less', 'application/json;q=0.5, text/html', true],
    ['JSON is liked better', 'text/html;q=0.5, application/json', false],
    ['anything is liked better than a page', 'text/html;q=0.5, */*', false],
    ['a page is named and anything will do', 'text/html, */*', true],
    ['a page is not wanted', 'text/html;q=0, */*;q=0.1', false],
    ['neither is wanted', 'image/png', false],
    ['JSON is not wanted, and anything else is', 'application/json;q=0, */*', true],
    ['a page is not wanted, but other texts are', 'text/html;q=0, text/*, application/json;q=0.1', false],
    ['problems are named', 'application/problem+json, text/html;q=0.1', false],
    ['problems are liked less', 'application/problem+json;q=0.1, text/html', true],
    ['it cannot be read', ';;;,,q=', false],
    ['it is endless', 'text/html,'.repeat(2_000), false],
  ])('when %s: %s', (_, accept, preferred) => {
    expect(prefersHtml(accept)).toBe(preferred);
  });
});

describe('JSON is preferred to a page', () => {
  it.each<[string, string | null, boolean]>([
    ['nothing was said', null, false],
    ['anything will do, as curl says', '*/*', false],
    ['a browser asks', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['only JSON is wanted', 'application/json', true],
    ['JSON is named and anything will do', 'application/json, */*', true],
    ['both are named', 'application/json, text/html', false],
    ['JSON is liked better', 'text/html;q=0.5, application/json', true],
    ['JSON is not wanted', 'application/json;q=0', false],
    ['far too long a wish', `application/json, ${'a/b, '.repeat(2_000)}`, false],
  ])('when %s', (_, accept, preferred) => {
    expect(prefersJson(accept)).toBe(preferred);
  });
});
