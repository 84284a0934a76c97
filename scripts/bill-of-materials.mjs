import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/. The same content gives the same bytes: no time of its own and no chance. */
export function billOfMaterials(packages) {
  const { name, version, license, optionalDependencies } = readJson('package.json');
  const lock = readJson('package-lock.json').packages;
  const bundled = packages.map((one) => npmComponent(one, lock[one.folder]));
  const optional = reachedFrom(Object.keys(optionalDependencies), lock).map((path) =>
    npmComponent({ name: path.replace(/^.*node_modules\//, ''), ...lock[path] }, lock[path], 'optional'),
  );
  const root = { type: 'application', 'bom-ref': purlOf(name, version), name, version };
  return billText({ ...root, purl: purlOf(name, version), licenses: [{ license: { id: license } }] }, [
    ...bundled,
    ...optional,
  ]);
}

/** A bill as text, numbered after its content. */
export function billText(root, components) {
  const seconds = process.env.SOURCE_DATE_EPOCH;
  const content = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: {
      ...(seconds === undefined ? {} : { timestamp: new Date(Number(seconds) * 1_000).toISOString() }),
      component: root,
    },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // A UUID of version 8, RFC 9562: ours to define.
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest);
  const serialNumber = `urn:uuid:${parts[1]}-${parts[2]}-8${parts[3]}-8${parts[4]}-${parts[5]}`;
  return `${JSON.stringify({ $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', ...content, serialNumber }, null, 2)}\n`;
}

function npmComponent({ name, version, license }, locked, scope = 'required') {
  const purl = purlOf(name, version);
  const [, algorithm, digest] = /^(sha512)-(\S+)$/.exec(locked?.integrity ?? '') ?? [];
  if (algorithm === undefined) throw new Error(`${name} ${version} has no SHA-512 in package-lock.json`);
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version, scope },
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
    purl,
  };
}

/** What an install adds where Node has no SQLite; the bundle has none of it. */
function reachedFrom(names, lock) {
  const paths = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of paths) {
    const found = lock[path];
    if (found === undefined) throw new Error(`${path} is not in package-lock.json`);
    for (const name of Object.keys(found.dependencies ?? {})) {
      const own = `${path}/node_modules/${name}`;
      paths.add(own in lock ? own : `node_modules/${name}`);
    }
  }
  return [...paths].sort();
}

function purlOf(name, version) {
  return `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
