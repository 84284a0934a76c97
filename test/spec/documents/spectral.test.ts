import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';
import type { Json } from '../../support/clients/described-answers.ts';
import { servingDocuments } from '../../support/running/serving-documents.ts';

/** What is used of the linter. Its own types are not there before `scripts/install-checkers` has run. */
interface Linter {
  setRuleset(rules: unknown): void;
  run(document: Json): Promise<readonly { code: string | number; path: readonly (string | number)[] }[]>;
}

const load = createRequire(projectFile('tools/checkers/package.json'));
const { Spectral }: { Spectral: new () => Linter } = load('@stoplight/spectral-core');
/** Only its rules for OpenAPI: the whole package also loads large schemas that are not installed. */
const { default: rules } = load('@stoplight/spectral-rulesets/dist/oas/index.js');

/** Everything that the linter says about a description. */
async function linted(document: Json): Promise<string[]> {
  const linter = new Spectral();
  linter.setRuleset(rules);
  const found = await linter.run(document);
  return found.map(({ code, path }) => `${code} ${path.join('/')}`);
}

it('finds no fault with /openapi.json, and not even a warning', async () => {
  const described = await servingDocuments().ask('/openapi.json');
  expect(await linted(await described.json())).toEqual([]);
});

it('would find one', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Assay', version: '1', description: 'Words.' },
    servers: [{ url: 'https://assay.example.org' }],
    paths: {
      '/': {
        get: {
          operationId: 'tasks',
          description: 'Tasks.',
          tags: [],
          responses: {
            200: { description: 'Tasks.', content: { 'application/json': { schema: { type: 'array' } } } },
          },
        },
      },
    },
  };
  const found = await linted(document);
  expect(found).toContain('info-contact info');
  expect(found).toContain('array-items paths///get/responses/200/content/application/json/schema');
});
