import fc from 'fast-check';
import { hostileText } from './hostile-input.ts';

/** Members that mean something to the language itself. */
const LANGUAGE = [
  '{"__proto__":{"isError":false}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"valueOf":null}',
  '{"toJSON":"x"}',
  '{"then":{}}',
  '{"length":-1}',
].map((text): unknown => JSON.parse(text));

/** Stands for a value that is nested far deeper than a function that calls itself survives, the stringifier among them. */
export const deep = fc
  .constantFrom(20, 40, 12_000)
  .chain((depth) => fc.constantFrom(`@array-${depth}`, `@object-${depth}`));

/** JSON of this, with what is too deep put in as text. */
export function textOf(said: unknown): string {
  const text = JSON.stringify(said) ?? '';
  return text.replace(/"@(array|object)-([0-9]+)"/g, (_, kind: string, depth: string) => {
    const [opening, closing] = kind === 'array' ? ['[', ']'] : ['{"a":', '}'];
    return `${opening.repeat(Number(depth))}1${closing.repeat(Number(depth))}`;
  });
}

/** Rarely deep or huge: such a message is refused as a whole, and nothing else in it is looked at. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 30, arbitrary: hostileText },
  { weight: 20, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 30, arbitrary: fc.constantFrom(null, true, [], {}, [[]], 0, -0, 0.1, 1e21, 1e308, -1, 2 ** 53) },
  { weight: 30, arbitrary: fc.constantFrom(...LANGUAGE) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(40_000), '\u0000'.repeat(5_000), '𝕏'.repeat(9_000)) },
);

/** As it should be, but for one time in so many: a message with ten flaws is refused for the first of them. */
export function mostly(good: fc.Arbitrary<unknown>, times = 20, bad = value): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: times - 1, arbitrary: good }, { weight: 1, arbitrary: bad });
}

/** An object of these members. */
export function members(
  names: readonly string[],
  values: fc.Arbitrary<unknown>,
  most = 4,
): fc.Arbitrary<Record<string, unknown>> {
  const pair = fc.tuple(fc.constantFrom(...names), values);
  return fc.array(pair, { maxLength: most }).map((pairs) => Object.fromEntries(pairs));
}

/** Left out, but for one time in so many. */
export function seldom<T>(rare: fc.Arbitrary<T>, times = 20): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: rare });
}
