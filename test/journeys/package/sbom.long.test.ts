import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectFile } from '../../../tools/project-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-sbom-'));
afterAll(() => rmSync(folder, { recursive: true }));

const licences = z.array(z.strictObject({ license: z.strictObject({ id: z.string() }) })).length(1);
const component = {
  'bom-ref': z.string().min(1),
  name: z.string().min(1),
  version: z.string().min(1),
  purl: z.string().regex(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d[\w.-]*$/),
  licenses: licences,
};
/** The rules of CycloneDX 1.6 for what we write; nothing else may be in it, a download address least of all. */
const bill = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  version: z.literal(1),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
  metadata: z.strictObject({
    timestamp: z.iso.datetime().optional(),
    component: z.strictObject({ ...component, type: z.literal('application') }),
  }),
  components: z.array(
    z.strictObject({
      ...component,
      type: z.literal('library'),
      scope: z.enum(['required', 'optional']),
      hashes: z
        .array(z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }))
        .length(1),
    }),
  ),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })).length(1),
});

describe('npm run sbom', () => {
  const out = join(folder, 'bill.json');
  execFileSync(process.execPath, ['scripts/sbom.mjs', '--out', out], { cwd: projectFile('.') });
  const text = readFileSync(out, 'utf8');
  const { metadata, components, dependencies } = bill.parse(JSON.parse(text));

  it('lists what is bundled, as the licences do, and no package besides what is installed on demand', () => {
    const licenses = readFileSync(projectFile('dist/bundle/third-party-licenses.txt'), 'utf8');
    const bundled = [...licenses.matchAll(/^={80}\n(\S+ \S+) /gm)].map(([, title]) => title);
    const titles = (scope: string) =>
      components.filter((one) => one.scope === scope).map(({ name, version }) => `${name} ${version}`);
    expect(titles('required')).toEqual(bundled);
    expect(titles('optional').map((title) => title.split(' ')[0])).toEqual([
      '@photostructure/sqlite',
      'node-addon-api',
      'node-gyp-build',
    ]);
  });

  it('refers to each component once', () => {
    const refs = components.map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies).toEqual([{ ref: metadata.component['bom-ref'], dependsOn: refs }]);
  });

  it('names no address but that of its own format', () => {
    expect(text.match(/\w+:\/\/[^"]*/g)).toEqual(['http://cyclonedx.org/schema/bom-1.6.schema.json']);
  });

  it('is numbered after its content, so that the same content has the same bytes', () => {
    const { $schema: _, serialNumber, ...content } = JSON.parse(text);
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    expect(serialNumber).toContain(`urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-`);
    expect(metadata.timestamp).toBeUndefined();
  });
});
