import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { discard, output, until } from './trial.ts';

const HEALTH_EVERY_MS = 1_000;

export interface Composed {
  compose(words: readonly string[]): Promise<string>;
  /** What a program prints in the container of a service. */
  inside(service: string, program: string): Promise<string>;
  logs(service: string): Promise<string>;
  /** How often its process has ended. */
  exitsOf(service: string): Promise<number>;
  kill(service: string): void;
  end(): Promise<void>;
}

/** Compose speaks to podman as to Docker. Health checks are started here: podman leaves that to systemd. */
export async function startCompose(folder: string): Promise<Composed> {
  const socket = `unix://${join(folder, 'engine.sock')}`;
  const engine = spawn('podman', ['system', 'service', '--time=0', socket], { stdio: 'ignore' });
  await until('podman', () => output('podman', ['--url', socket, 'version']));
  const project = `assay-trial-${process.pid}`;
  const env = {
    ...{ DOCKER_HOST: socket, COMPOSE_PROJECT_NAME: project },
    ...{
      NGINX_IMAGE: 'localhost/assay-stand-in-nginx:1.22',
      POSTGRES_IMAGE: 'localhost/assay-stand-in-postgres:15',
    },
    // Not used: the network of a trial is not published.
    HTTPS_PORT: '127.0.0.1:0',
  };
  const files = ['--file', join(folder, 'compose.yaml'), '--file', join(folder, 'compose.override.yaml')];
  const compose = (words: readonly string[]) =>
    output('docker-compose', [...files, '--project-directory', folder, ...words], env);
  const containerOf = (service: string) => `${project}_${service}_1`;
  const checks = setInterval(() => {
    output('podman', ['healthcheck', 'run', containerOf('database')]).catch(() => {});
  }, HEALTH_EVERY_MS);
  return {
    compose,
    inside: (service, program) => output('podman', ['exec', containerOf(service), 'node', '-e', program]),
    logs: (service) => output('podman', ['logs', containerOf(service)]),
    exitsOf: async (service) =>
      Number(await output('podman', ['inspect', '--format', '{{.RestartCount}}', containerOf(service)])),
    kill: (service) => discard('podman', ['kill', containerOf(service)]),
    async end() {
      clearInterval(checks);
      await compose(['--profile', 'witness', 'down', '--volumes', '--remove-orphans']).catch(() => {});
      const exited = once(engine, 'exit');
      engine.kill('SIGTERM');
      await exited;
    },
  };
}
