import { z } from 'zod';

const text = z.object({ text: z.string().min(1) });
const level = z.enum(['none', 'note', 'warning', 'error']);
const uriReference = z
  .string()
  .min(1)
  .regex(/^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/, 'must be a URI reference');

const location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({ uri: uriReference }),
    region: z.strictObject({ startLine: z.int().min(1) }),
  }),
  logicalLocations: z.array(z.strictObject({ fullyQualifiedName: z.string().min(1) })),
});

/** The rules of SARIF 2.1.0 for the parts that are used: section 3.13 and those that it leads to. */
const log = z.strictObject({
  $schema: z.literal(
    'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
  ),
  version: z.literal('2.1.0'),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string().min(1),
            rules: z.array(
              z.strictObject({
                id: z.string().regex(/^[a-z0-9_]+$/),
                shortDescription: text,
                help: text,
                defaultConfiguration: z.strictObject({ level }),
              }),
            ),
          }),
        }),
        invocations: z.array(z.strictObject({ executionSuccessful: z.boolean() })),
        results: z.array(
          z.strictObject({
            ruleId: z.string(),
            ruleIndex: z.int().min(0),
            level,
            message: text,
            locations: z.array(location).min(1),
          }),
        ),
        properties: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    )
    .length(1),
});

/** The run of a log that keeps the rules: its form, unique rules, and results that name one of them at its index. */
export function readSarif(document: string) {
  const { runs } = log.parse(JSON.parse(document));
  const [run] = runs;
  if (run === undefined) throw new Error('no run');
  const ids = run.tool.driver.rules.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new Error('a rule twice');
  for (const { ruleId, ruleIndex } of run.results) {
    if (ids[ruleIndex] !== ruleId) throw new Error(`${ruleId} is not the rule at ${ruleIndex}`);
  }
  return run;
}
