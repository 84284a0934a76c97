import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Permissive licences, whose only condition for us is that their text is passed on. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);
/** The text of this licence is the same for everybody, and some packages leave it out. */
const APACHE = 'node_modules/@opentelemetry/api/LICENSE';

/** The licence of every package with code in the bundle, one after the other. Throws where there is none that we accept. */
export function licenseTexts(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((path) => folderOf(path) ?? []));
  const packages = [...folders].map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
  const unique = packages.filter(({ title }, at) => title !== packages[at - 1]?.title);
  return unique.map(({ title, text }) => `${'='.repeat(80)}\n${title}\n\n${text.trim()}\n`).join('\n');
}

/** `node_modules/pg/lib/client.js` -> `node_modules/pg`; null for our own files. */
function folderOf(path) {
  return /[^:]*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const title = `${name} ${version} (${license})`;
  if (!ACCEPTED.has(license))
    throw new Error(`${title}: this licence is not in the list of scripts/license-texts.mjs`);
  const text = textIn(folder) ?? (license === 'Apache-2.0' ? readFileSync(APACHE, 'utf8') : null);
  if (text === null) throw new Error(`${title} comes without the text of its licence`);
  return { title, text };
}

/** Its own file, else the end of the README. */
function textIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  const readme = join(folder, 'README.md');
  if (!existsSync(readme)) return null;
  const text = /\n#+ licen[cs]e\s+([\s\S]*)$/i.exec(readFileSync(readme, 'utf8'))?.[1];
  return text?.includes('Permission is hereby granted') ? text : null;
}
