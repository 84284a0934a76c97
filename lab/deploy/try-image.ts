import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';
import { discard, needTools, output, type Trial, until } from './trial.ts';

const MEGABYTE = 1e6;
const STOP_SECONDS = 15;

/** What the image says of itself; podman and docker agree on these names. */
interface Inspected {
  readonly Size: number;
  readonly Config: { readonly User: string; readonly Entrypoint: readonly string[] };
}

/** Builds the image and runs the service from it as compose.yaml does: no root, nothing writable but /data and /tmp. */
export async function tryImage(trial: Trial): Promise<void> {
  const engine = process.env['ENGINE'] ?? 'podman';
  needTools({ [engine]: 'podman' });
  const begun = Date.now();
  const image = await output(projectFile('scripts/build-image'), []);
  trial.measured('time to build, npm pack included', seconds(begun));
  // The engine's own format.
  const [inspected] = JSON.parse(await output(engine, ['image', 'inspect', image])) as [Inspected];
  trial.measured('size of the image', `${Math.round(inspected.Size / MEGABYTE)} MB`);
  trial.check('the image names a user by number, and not root', inspected.Config.User === '1000:1000');
  const flags = startFlags();
  trial.check(
    'Node gets the flags of npm start',
    flags.every((flag) => inspected.Config.Entrypoint.includes(flag)),
  );
  const name = `assay-trial-${process.pid}`;
  try {
    await tryService(trial, { engine, image, name });
  } finally {
    discard(engine, ['rm', '--force', '--time', '1', name]);
    discard(engine, ['volume', 'rm', name]);
  }
}

interface Started {
  readonly engine: string;
  readonly image: string;
  readonly name: string;
}

async function tryService(trial: Trial, { engine, image, name }: Started): Promise<void> {
  const port = await freePort();
  await output(engine, [
    ...['create', '--name', name, '--network', 'host', '--read-only', '--tmpfs', '/tmp'],
    ...['--volume', `${name}:/data`, '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--memory', '768m', '--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1', image],
  ]);
  const begun = Date.now();
  await output(engine, ['start', name]);
  const ready = await until('/readyz', () => fetch(`http://127.0.0.1:${port}/readyz`));
  trial.measured('start of the container to the first answer', seconds(begun));
  trial.check('it is ready', ready.status === 200, ready.status);
  const lookup = await fetch(`http://127.0.0.1:${port}/v1/lookup?task=web-search`);
  trial.check('a free lookup is answered', lookup.status === 200, lookup.status);
  const inside = async (program: string) => output(engine, ['exec', name, 'node', '-p', program]);
  trial.check('the process is not root', (await inside('process.getuid()')) === '1000');
  const refused = await inside("try { fs.writeFileSync('/opt/assay/x', '') } catch (fault) { fault.code }");
  trial.check('its root cannot be written', refused === 'EROFS', refused);
  const capabilities = await inside("/CapEff:\\s*0+$/m.test(fs.readFileSync('/proc/1/status', 'utf8'))");
  trial.check('it has no capability', capabilities === 'true', capabilities);
  const mode = await inside("(fs.statSync('/data').mode & 0o777).toString(8)");
  trial.check('/data is for its user only', mode === '700', mode);
  const health = await output(engine, ['inspect', '--format', '{{json .Config.Healthcheck}}', name]);
  trial.check('it has a health check', health.includes('/healthz'), health);
  // Docker runs it by itself; podman needs systemd for that.
  if (engine.endsWith('podman')) await output(engine, ['healthcheck', 'run', name]);
  const told = Date.now();
  await output(engine, ['stop', '--time', String(STOP_SECONDS), name]);
  trial.measured('stop', seconds(told));
  const code = await output(engine, ['inspect', '--format', '{{.State.ExitCode}}', name]);
  trial.check('SIGTERM ends it with 0', code === '0', code);
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}
