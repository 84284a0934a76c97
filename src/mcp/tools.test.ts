import { describe, expect, it } from 'vitest';
import { inputSchemaOf, listedTool, outputSchemaOf } from './tool.ts';
import { TOOLS, UNMETERED_TOOLS } from './tools.ts';

/** What makes a model choose and use a tool rightly, as rules that can be counted. */
const names = TOOLS.map(({ name }) => name);

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a schema holds.
type Node = any;

describe('the list of tools', () => {
  it('has these, in this order', () => {
    expect(names).toEqual([
      'search_catalog',
      'get_service',
      'lookup',
      'get_overnight_cos_pack',
      'endpoint_spot_check',
      'get_receipt',
    ]);
  });

  it('is short enough to be read at every start', () => {
    const listed = TOOLS.map(listedTool);
    expect(JSON.stringify(listed).length).toBeLessThan(17_408);
  });
});

describe('the list of tools of a process of one user', () => {
  it('says that receipts are public nowhere: they stay in a folder of the user', () => {
    const words = UNMETERED_TOOLS.map((tool) => {
      const { title, description, inputSchema } = listedTool(tool);
      return JSON.stringify([title, description, inputSchema]);
    }).join('\n');
    expect(words).not.toMatch(/public receipt|everything public|weekly crawl|per UTC day/);
    expect(words).toContain('Every check stores a receipt on this machine only.');
  });
});

describe.each(TOOLS)('$name', (tool) => {
  const { name, title, description, hints } = tool;
  const input: Node = inputSchemaOf(tool);
  const output: Node = outputSchemaOf(tool);

  it('has a name that every client takes, and a title that is not the name again', () => {
    expect(name).toMatch(/^[a-z_]{3,64}$/);
    expect(title.toLowerCase().replaceAll(' ', '_')).not.toBe(name);
  });

  it('is described in 120 to 700 characters', () => {
    expect(description.length).toBeGreaterThanOrEqual(120);
    expect(description.length).toBeLessThanOrEqual(700);
  });

  it('says when to use it, and which other tool to use instead', () => {
    expect(description).toMatch(/\bUse it\b/);
    const others = names.filter((other) => other !== name && description.includes(other));
    expect(others.length).toBeGreaterThan(0);
  });

  it('says what it costs', () => {
    expect(description).toMatch(/\b(?:free|USDC)\b/i);
    if (tool.price !== null) expect(description).toContain('USDC');
  });

  it('says what a failure looks like', () => {
    expect(description).toMatch(/\b(?:error|empty list|verdict)\b/);
  });

  it('describes and bounds every argument, and takes no other', () => {
    expect(input).toMatchObject({ type: 'object', additionalProperties: false });
    for (const [argument, schema] of Object.entries<Node>(input.properties)) {
      expect([argument, typeof schema.description]).toEqual([argument, 'string']);
      expect(schema.examples).toHaveLength(1);
      if (schema.type === 'integer')
        expect([argument, schema.minimum, schema.maximum]).not.toContain(undefined);
      if (schema.type === 'number') expect([argument, schema.minimum]).toEqual([argument, 0]);
      if (schema.type === 'string') {
        const bounds = [schema.maxLength, schema.pattern, schema.enum].filter((bound) => bound !== undefined);
        expect([argument, bounds.length > 0]).toEqual([argument, true]);
      }
    }
  });

  it('has an object for an answer, and a problem is one of its forms', () => {
    expect(output.type).toBe('object');
    expect(output.anyOf.some((one: Node) => one.properties.code !== undefined)).toBe(true);
    const isPayable = output.anyOf.some((one: Node) => one.properties.accepts !== undefined);
    expect(isPayable).toBe(tool.price !== null);
  });

  it('has four hints, none against the others', () => {
    expect(Object.keys(hints)).toEqual([
      'readOnlyHint',
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
    ]);
    if (hints.readOnlyHint) expect(hints.destructiveHint).toBe(false);
  });
});

describe('what the hints promise', () => {
  it.each([
    ['search_catalog', true, true, false, 'it only reads what we have'],
    ['get_service', true, true, false, 'it only reads what we have'],
    ['lookup', true, true, false, 'metered, but nothing is written that anybody sees'],
    ['get_overnight_cos_pack', false, false, false, 'it charges'],
    ['endpoint_spot_check', false, false, true, 'it leaves a public receipt and knocks at a stranger'],
    ['get_receipt', true, true, false, 'a receipt never changes'],
  ])('%s: reads only %s, idempotent %s, open world %s: %s', (name, reads, idempotent, open) => {
    const hints = TOOLS.find((tool) => tool.name === name)?.hints;
    expect([hints?.readOnlyHint, hints?.idempotentHint, hints?.openWorldHint]).toEqual([
      reads,
      idempotent,
      open,
    ]);
  });
});
