import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../running/command-line.ts';

/** A client with a memory of its own. */
export function verifyingClient(server: () => string) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-memory-'));
  const options = () => ['--memory', folder, '--json'];
  return {
    folder,
    verify: (id: string, ...more: string[]) =>
      run(['receipt', id, '--verify', '--server', server(), ...options(), ...more], { fetch }),
    check: (...more: string[]) => run(['log check', server(), ...options(), ...more], { fetch }),
    /** The files that were kept, by their content. */
    evidence(): string[] {
      try {
        const place = join(folder, 'evidence');
        return readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'));
      } catch {
        return [];
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export type VerifyingClient = ReturnType<typeof verifyingClient>;

/** What `--json` says about each step. */
export function statesIn(out: string): Record<string, string> {
  const { steps }: { steps: { name: string; state: string }[] } = JSON.parse(out);
  return Object.fromEntries(steps.map(({ name, state }) => [name, state]));
}
