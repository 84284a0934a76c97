import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from '../../tools/project-file.ts';
import { throwAwayCertificate } from './certificate.ts';
import { type Composed, startCompose } from './start-compose.ts';
import { askOverTls, needTools, output, type Trial, until } from './trial.ts';
import { trySite } from './try-site.ts';

const [HOST, WITNESS] = ['assay.example.org', 'witness.example.org'];
/** As compose.yaml has it. The network has no way out, but this machine is in it. */
const PROXY = { address: '172.30.40.2', port: 443 };

/**
 * compose.yaml from nothing to a cosigned log, in the order of docs/deployment.md. Without a registry PostgreSQL and nginx are Debian's;
 * needs the image that `npm run image` builds.
 */
export async function tryCompose(trial: Trial): Promise<void> {
  needTools({
    podman: 'podman',
    'docker-compose': 'docker-compose',
    mmdebstrap: 'mmdebstrap',
    openssl: 'openssl',
  });
  await output(projectFile('lab/deploy/build-stand-ins'), []);
  const folder = mkdtempSync(join(tmpdir(), 'assay-compose-'));
  cpSync(projectFile('deploy'), folder, { recursive: true });
  const ca = await fillFolder(folder);
  const composed = await startCompose(folder);
  try {
    const begun = Date.now();
    await composed.compose(['up', '--detach']);
    const ask = (path: string, more: object = {}) => askOverTls({ host: HOST, ca, path, ...PROXY, ...more });
    await until('/readyz', async () => ((await ask('/readyz')).status === 200 ? true : null));
    trial.measured('compose up to the first answer', `${((Date.now() - begun) / 1_000).toFixed(1)} s`);
    await tryNetworks(trial, composed);
    await tryBackup(trial, composed);
    await tryWitness(trial, { composed, folder, policy: async () => (await ask('/log/policy')).body });
    await trySite(trial, {
      ask,
      askFromElsewhere: async (path) => Number(await composed.inside('witness', statusOf(path))),
      killOne: () => composed.kill('service-a'),
    });
  } finally {
    await composed.end();
    rmSync(folder, { recursive: true });
  }
}

/** What the document tells an operator to put there, and a certificate that nobody else trusts. */
async function fillFolder(folder: string): Promise<string> {
  const at = (name: string) => join(folder, name);
  const [secret, password] = [await output('openssl', ['rand', '-hex', '32']), 'trial'];
  const example = (name: string) => readFileSync(at(`${name}.example`), 'utf8');
  mkdirSync(at('tls'), { mode: 0o755 });
  const certificates = [
    await throwAwayCertificate(at('tls'), 'assay', HOST),
    await throwAwayCertificate(at('tls'), 'witness', WITNESS),
  ].join('');
  await output('chown', ['-R', '101', at('tls')]);
  writeFileSync(at('policy/trial-ca.txt'), certificates);
  const settings = example('assay.env').replace('SECRET=', `SECRET=${secret}`).replace('PASSWORD', password);
  writeFileSync(at('assay.env'), `${settings}NODE_EXTRA_CA_CERTS=/etc/assay/trial-ca.txt\n`);
  writeFileSync(at('postgres.env'), example('postgres.env').replace('PASSWORD=', `PASSWORD=${password}`));
  writeFileSync(at('gas.env'), example('gas.env'));
  writeFileSync(at('verify.env'), example('verify.env'));
  mkdirSync(at('sites'));
  for (const name of ['assay', 'witness']) cpSync(at(`nginx/${name}.conf`), at(`sites/${name}.conf`));
  cpSync(projectFile('lab/deploy/compose.trial.yaml'), at('compose.override.yaml'));
  return certificates;
}

/** Whose certificate it is has been looked at already. */
function statusOf(path: string): string {
  const from = {
    host: PROXY.address,
    path,
    servername: HOST,
    rejectUnauthorized: false,
    headers: { host: HOST },
  };
  return `https.get(${JSON.stringify(from)}, (got) => { console.log(got.statusCode); got.resume(); })`;
}

async function tryNetworks(trial: Trial, { inside }: Composed): Promise<void> {
  const connect = (host: string, port: number) =>
    `new Promise((done) => net.connect({ host: '${host}', port: ${port}, timeout: 2000 }).on('connect', () => done('open')).on('timeout', () => done('silent')).on('error', (fault) => done(fault.code))).then(console.log)`;
  const reached = await inside('service-a', connect('database', 5432));
  trial.check('a service reaches PostgreSQL', reached === 'open', reached);
  const proxy = await inside('worker', connect(PROXY.address, PROXY.port));
  trial.check('a worker does not reach the proxy', proxy !== 'open', proxy);
  // An address for documents. Of the trial, not of compose.yaml: services have to reach sellers.
  for (const name of ['service-a', 'worker', 'backup']) {
    const out = await inside(name, connect('192.0.2.1', 443));
    trial.check(`nothing leaves this machine from ${name}`, out === 'ENETUNREACH', out);
  }
}

async function tryBackup(trial: Trial, { inside, exitsOf }: Composed): Promise<void> {
  const files = await until('a backup', async () => {
    const found = await inside(
      'backup',
      "console.log(fs.readdirSync('/data').filter((name) => name.endsWith('.gz')).length)",
    );
    return found === '1' ? found : null;
  });
  trial.check('there is a backup', files === '1');
  trial.measured('starts of the backup until PostgreSQL was there', String((await exitsOf('backup')) + 1));
}

async function tryWitness(
  trial: Trial,
  { composed, folder, policy }: { composed: Composed; folder: string; policy: () => Promise<string> },
): Promise<void> {
  writeFileSync(join(folder, 'policy/logs.txt'), await policy());
  await composed.compose(['--profile', 'witness', 'up', '--detach', 'witness']);
  const key = await until('the key of the witness', async () => {
    const [line = ''] = (await composed.logs('witness')).split('\n');
    return line.startsWith(`${WITNESS}/w1+`) ? line : null;
  });
  writeFileSync(join(folder, 'policy/witnesses.txt'), `witness w1 ${key} https://${WITNESS}\nquorum w1\n`);
  const settings = readFileSync(join(folder, 'assay.env'), 'utf8');
  writeFileSync(
    join(folder, 'assay.env'),
    settings.replace('LOG_POLICY=', 'LOG_POLICY=/etc/assay/witnesses.txt'),
  );
  await composed.compose(['up', '--detach', 'service-a', 'service-b']);
  const named = await until('the witness in the policy', async () =>
    (await policy()).includes(key) ? true : null,
  );
  trial.check('clients are told the witness', named);
  await until('a cosigned checkpoint', async () => {
    const metrics = await composed.inside(
      'service-b',
      "fetch('http://127.0.0.1:9402/metrics').then((found) => found.text()).then(console.log)",
    );
    return /^assay_log_witness_age_seconds\{witness="w1"\} [\d.]+$/m.test(metrics) ? true : null;
  });
  trial.check('the witness has cosigned a checkpoint', true);
}
