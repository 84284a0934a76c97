import { describe, expect, it } from 'vitest';
import { isPathTemplate } from './path-template.ts';

describe('a path template (G72)', () => {
  it.each<[string, string, boolean]>([
    ['a colon and a name', '/users/:id', true],
    ['a colon and a name, encoded', '/users/%3Aid', true],
    ['braces', '/users/{id}/x', true],
    ['braces inside a segment', '/users/v{id}.json', true],
    ['encoded braces', '/v1/%7Bid%7D', true],
    ['angle brackets', '/users/<id>', true],
    ['encoded angle brackets', '/users/%3Cid%3E', true],
    ['a custom method', '/v1/x:run', false],
    ['a colon before a digit', '/time/:30', false],
    ['an opening brace alone', '/a{b', false],
    ['braces the wrong way round', '/}a{', false],
    ['braces in two segments', '/{a/b}', false],
    ['square brackets', '/users/[id]', false],
    ['an ordinary path', '/v1/data', false],
    ['the root', '/', false],
  ])('%s', (_, path, template) => {
    expect(isPathTemplate(path)).toBe(template);
  });
});
