import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { billText } from './bill-of-materials.mjs';

/** One file with all packages, or one for each where nothing was installed by dpkg itself. */
const LISTING = `
  const fs = require('node:fs');
  const folder = '/var/lib/dpkg/status.d';
  const texts = fs.existsSync('/var/lib/dpkg/status')
    ? fs.readFileSync('/var/lib/dpkg/status', 'utf8').split('\\n\\n')
    : fs.readdirSync(folder).map((name) => fs.readFileSync(folder + '/' + name, 'utf8'));
  const field = (text, name) => new RegExp('^' + name + ': (.*)$', 'm').exec(text)?.[1];
  const packages = texts.filter((text) => field(text, 'Package')).map((text) => ({
    name: field(text, 'Package'), version: field(text, 'Version'), architecture: field(text, 'Architecture'),
  }));
  const distribution = field(fs.readFileSync('/etc/os-release', 'utf8').replace(/=/g, ': '), 'VERSION_ID').replace(/"/g, '');
  console.log(JSON.stringify({ node: process.versions.node, distribution, packages }));
`;
/**
 * `npm run sbom -- [--image NAME] [--out FILE]`: what is in the package, from the build that made it; with an image, also its Node and its
 * Debian packages, as the image itself lists them.
 */
const { values } = parseArgs({ options: { image: { type: 'string' }, out: { type: 'string' } } });
const built = readFileSync('dist/bundle/sbom.cdx.json', 'utf8');
const { metadata, components } = JSON.parse(built);
const { name, version } = metadata.component;
const file = values.out ?? `${name}-${version}${values.image === undefined ? '' : '-image'}.cdx.json`;
writeFileSync(file, values.image === undefined ? built : billOfImage(values.image));
process.stdout.write(`${file}\n`);

function billOfImage(image) {
  const { node, distribution, packages } = JSON.parse(runInside(image, LISTING));
  const platform = { type: 'platform', 'bom-ref': `pkg:generic/node@${node}`, name: 'node', version: node };
  const shipped = components.filter(({ scope }) => scope !== 'optional');
  return billText({ ...metadata.component, type: 'container', 'bom-ref': image, name: image }, [
    { ...platform, licenses: [{ license: { id: 'MIT' } }], purl: platform['bom-ref'] },
    ...packages.map((one) => debianComponent(one, distribution)),
    { ...metadata.component, scope: 'required' },
    ...shipped,
  ]);
}

function debianComponent({ name: deb, version: number, architecture }, distribution) {
  const purl = `pkg:deb/debian/${encodeURIComponent(deb)}@${encodeURIComponent(number)}?arch=${architecture}&distro=debian-${distribution}`;
  return { type: 'library', 'bom-ref': purl, name: deb, version: number, scope: 'required', purl };
}

function runInside(image, program) {
  const engine = process.env.ENGINE ?? 'podman';
  const quietly = ['run', '--rm', '--network', 'none', '--no-healthcheck', '--entrypoint', 'node'];
  return execFileSync(engine, [...quietly, image, '-e', program], { encoding: 'utf8' });
}
