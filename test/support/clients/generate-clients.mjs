import { writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Generates both clients: node generate-clients.mjs <openapi.json> <folder>. */
const [, , description = '', folder = ''] = process.argv;

// The generators use the API of TypeScript 5. The compiler of this project has none, and the package of version 5 would put a
// second tsc in the place of ours, so they get the copy that this package has.
const common = createRequire(import.meta.url).resolve('@ts-morph/common');
const api = new URL('typescript.js', pathToFileURL(common)).href;
const useApi = `export const resolve = (name, context, next) =>
  name === 'typescript' ? { url: ${JSON.stringify(api)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(useApi)}`);

const { default: openapiTS, astToString } = await import('openapi-typescript');
const { createClient } = await import('@hey-api/openapi-ts');

writeFileSync(join(folder, 'paths.d.ts'), astToString(await openapiTS(pathToFileURL(description))));
await createClient({
  input: description,
  output: { path: join(folder, 'sdk'), importFileExtension: '.ts' },
  logs: { level: 'silent' },
});
