import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { knownAnswerTest, predicate } from './known-answer-test.ts';
import { reference } from './reference.ts';

const document = readFileSync(new URL('../../../docs/known-answers.md', import.meta.url), 'utf8');
const inline = [...document.matchAll(/`(\{"kind":[^`]+\})`/g)].map(([, json = '']) => json);
const whole = [...document.matchAll(/```json\n([\s\S]+?)\n```/g)].map(([, json = '']) => json);

/** The kinds that a schema knows, from the schema itself: a new one without an example is noticed. */
function kindsOf(schema: z.ZodType): string[] {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
  return [...text.matchAll(/"kind":\{"type":"string","const":"([a-z0-9_]+)"\}/g)].map(
    ([, kind = '']) => kind,
  );
}

const kindIn = (json: string): string => z.object({ kind: z.string() }).parse(JSON.parse(json)).kind;

describe('docs/known-answers.md', () => {
  it('has an example of every kind, and of no other', () => {
    const known = [...kindsOf(predicate), ...kindsOf(reference)];
    expect(known).toHaveLength(14);
    expect([...new Set(inline.map(kindIn))].sort()).toEqual(known.sort());
  });

  it.each(inline)('is read as it stands: %s', (json) => {
    const schema = kindsOf(reference).includes(kindIn(json)) ? reference : predicate;
    expect(schema.safeParse(JSON.parse(json)).error).toBeUndefined();
  });

  it('has a whole test that is read as it stands', () => {
    expect(whole).toHaveLength(1);
    expect(whole.map((json) => knownAnswerTest.safeParse(JSON.parse(json)).error)).toEqual([undefined]);
  });

  it('names every kind in the row of its example', () => {
    const rows = document.split('\n').filter((line) => line.startsWith('| `'));
    const mismatched = rows.filter((row) => {
      const [, named = ''] = /^\| `([a-z0-9_]+)`/.exec(row) ?? [];
      const [, json] = /`(\{"kind":[^`]+\})`/.exec(row) ?? [];
      return json !== undefined && kindIn(json) !== named;
    });
    expect(mismatched).toEqual([]);
  });
});
