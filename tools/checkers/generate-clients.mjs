import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';

/** Generates both clients: node generate-clients.mjs <openapi.json> <folder>. Here, because the generators need TypeScript 5. */
const [, , description = '', folder = ''] = process.argv;

writeFileSync(join(folder, 'paths.d.ts'), astToString(await openapiTS(pathToFileURL(description))));
await createClient({
  input: description,
  output: { path: join(folder, 'sdk'), importFileExtension: '.ts' },
  logs: { level: 'silent' },
});
