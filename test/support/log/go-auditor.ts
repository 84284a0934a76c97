import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from '../../../tools/project-file.ts';

const SOURCE = projectFile('test/conformance/log/auditor');
const GO_PACKAGE = '/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog';
const run = promisify(execFile);

export interface AuditorVerdict {
  /** 0: sound. 1: refused. 2: it cannot tell. */
  readonly code: number;
  readonly line: string;
}

export interface GoAuditor {
  audit(args: readonly string[]): Promise<AuditorVerdict>;
  remove(): Promise<void>;
}

/** What has to be installed to build the auditor; null when all is there. */
export function missingForGoAuditor(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (!folders.some((folder) => existsSync(join(folder, 'go')))) return 'the Debian package golang-go';
  return existsSync(GO_PACKAGE) ? null : 'the Debian package golang-golang-x-mod-dev';
}

/** Compiles the auditor without network. */
export async function buildGoAuditor(): Promise<GoAuditor> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-auditor-'));
  const program = join(folder, 'auditor');
  const env = { ...process.env, CGO_ENABLED: '0', GOPROXY: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' };
  await run('go', ['build', '-o', program, '.'], { cwd: SOURCE, env });
  return {
    audit: (args) =>
      new Promise((resolve, reject) => {
        execFile(program, args, (error, stdout, stderr) => {
          if (error !== null && typeof error.code !== 'number') reject(error);
          else resolve({ code: Number(error?.code ?? 0), line: `${stdout}${stderr}`.trim() });
        });
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
