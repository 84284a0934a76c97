import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';
import { throwAwayCertificate } from './certificate.ts';
import { askOverTls, needTools, output, type Trial, until } from './trial.ts';
import { trySite } from './try-site.ts';

const HOST = 'assay.example.org';

/** The site of deploy/nginx in front of two processes on one store, all on loopback; only ports and folders are changed. */
export async function tryNginx(trial: Trial): Promise<void> {
  needTools({ nginx: 'nginx', openssl: 'openssl' });
  const folder = mkdtempSync(join(tmpdir(), 'assay-nginx-'));
  const children: ChildProcess[] = [];
  try {
    const ca = await throwAwayCertificate(folder, 'assay', HOST);
    const [port, first, second] = [await freePort(), await freePort(), await freePort()];
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, [port, first, second]));
    await output('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')]);
    trial.check('nginx accepts the site', true);
    const replicas = [first, second].map((one) => replica(folder, one));
    children.push(...replicas);
    for (const one of [first, second]) {
      await until('a replica', () => fetch(`http://127.0.0.1:${one}/readyz`));
    }
    children.push(
      spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
    const ask = (path: string, more: object = {}) => askOverTls({ host: HOST, port, ca, path, ...more });
    await until('nginx', () => ask('/healthz'));
    await trySite(trial, {
      ask,
      askFromElsewhere: async (path) => (await ask(path, { from: '127.0.0.3' })).status,
      killOne: () => replicas[0]?.kill('SIGKILL'),
    });
  } finally {
    for (const child of children) await end(child);
    rmSync(folder, { recursive: true });
  }
}

function replica(folder: string, port: number): ChildProcess {
  return spawn(process.execPath, [projectFile('dist/bundle/node/assay.js'), 'serve'], {
    env: {
      ...{ PORT: String(port), DATA_DIR: join(folder, 'data'), BASE_URL: `https://${HOST}` },
      ...{ TRUSTED_PROXIES: '127.0.0.1', FREE_LOOKUPS_PER_ADDRESS: '2', LOG_LEVEL: 'error' },
    },
    stdio: ['ignore', 'inherit', 'ignore'],
  });
}

function configuration(folder: string, [port, first, second]: readonly number[]): string {
  const part = (name: string) => readFileSync(projectFile(`deploy/nginx/${name}.conf`), 'utf8');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
${part('upstream').replace(':4402', `:${first}`).replace(':4403', `:${second}`)}
${part('assay').replace('listen 443', `listen 127.0.0.1:${port}`).replaceAll('/etc/nginx/tls', folder)}
}
`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
