import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Permissive licences, whose only condition for us is that their text is passed on; and one that asks for a pointer to the source. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
]);
/** The texts of these licences are the same for everybody, and some packages leave them out. */
const SHARED_TEXTS = {
  'Apache-2.0': 'node_modules/@opentelemetry/api/LICENSE',
  'MPL-2.0': 'node_modules/axe-core/LICENSE',
};

/** Every package with code in the bundle, by name. Throws where one has no licence that we accept. */
export function bundledPackages(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((path) => folderOf(path) ?? []));
  const packages = [...folders].map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
  return packages.filter(({ title }, at) => title !== packages[at - 1]?.title);
}

/** Their licences, one after the other. */
export function licenseTexts(packages) {
  return packages.map(({ title, text }) => `${'='.repeat(80)}\n${title}\n\n${text.trim()}\n`).join('\n');
}

/** `node_modules/pg/lib/client.js` -> `node_modules/pg`; null for our own files. */
function folderOf(path) {
  return /[^:]*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

function readPackage(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const title = `${name} ${version} (${license})`;
  if (!ACCEPTED.has(license))
    throw new Error(`${title}: this licence is not in the list of scripts/license-texts.mjs`);
  const shared = SHARED_TEXTS[license];
  const text = textIn(folder) ?? (shared === undefined ? null : readFileSync(shared, 'utf8'));
  if (text === null) throw new Error(`${title} comes without the text of its licence`);
  const passedOn = license === 'MPL-2.0' ? `${sourceNotice(version, repository)}\n\n${text}` : text;
  return { folder, name, version, license, title, text: passedOn };
}

/** Where its source is; the licence asks for it with whatever is shipped in another form. */
function sourceNotice(version, repository) {
  const address = String(repository)
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/\.git$/, '');
  if (!address.startsWith('https://')) throw new Error(`no address of a source: ${address}`);
  return `Shipped unchanged. Its source code is at ${address} under the tag v${version};
the lock file there names the libraries that are compiled into it.`;
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
