import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Step } from './blocks.ts';
import { firstDifference } from './compare.ts';

export interface Walk {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What stands in the document and what stands for it here, such as a port. Longer texts come first. */
  readonly instead: readonly (readonly [string, string])[];
}

/** Runs on until Ctrl-C. */
const SERVER = /(^|&& )(npm start|npm run sandbox|npx assay (serve|sandbox))\b[^&]*$/;
const READY = 'listening on|is running';
const READY_SECONDS = 300;
const STOPPING_SECONDS = 60;
/** A command that never ends must not leave processes behind. */
const LONGEST_MS = 900_000;

/** Types the steps into one shell. Returns what went otherwise than the document prints it; nothing when all is as printed. */
export async function walkThrough(steps: readonly Step[], walk: Walk): Promise<readonly string[]> {
  const here = (printed: string) =>
    walk.instead.reduce((all, [there, actual]) => all.replaceAll(there, actual), printed);
  const script = [
    PREAMBLE,
    ...steps.map((step, nth) => scriptOf({ ...step, command: here(step.command) }, nth)),
  ];
  const child = spawn('bash', ['--norc', '-c', script.join('\n')], {
    cwd: walk.folder,
    timeout: LONGEST_MS,
    env: walk.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const results = new Map(
    [...out.matchAll(/@@step (\d+)@@\n([\s\S]*?)@@exit (\d+)@@/g)].map(([, nth, output = '', code]) => [
      Number(nth),
      { output, code: Number(code) },
    ]),
  );
  return steps.flatMap((step, nth) => {
    const result = results.get(nth);
    const fault =
      result === undefined
        ? `did not end\n${out.slice(-2_000)}`
        : faultOf(step.output === null ? null : here(step.output), result);
    return fault === null ? [] : [`line ${step.line}: ${step.command}\n${fault}`];
  });
}

function faultOf(
  printed: string | null,
  result: { readonly output: string; readonly code: number },
): string | null {
  if (printed !== null) return firstDifference(printed, result.output);
  return result.code === 0 ? null : `exit code ${result.code}\n${result.output}`;
}

/** With job control a server and what it has started are one group, which Ctrl-C reaches. It has ended when all of them have. */
const PREAMBLE = `
set -m
server=
stop_server() {
  [ -n "$server" ] || return 0
  kill -- "-$server"
  wait "$server" || true
  for tenth in $(seq ${STOPPING_SECONDS}0); do
    kill -0 -- "-$server" 2>/dev/null || break
    sleep 0.1
  done
  server=
}
trap stop_server EXIT
`;

function scriptOf({ command, output }: Step, nth: number): string {
  const run = SERVER.test(command) ? serving(command) : command;
  // A script ends at its first failure; in a session a reader goes on.
  const mode = output === null ? 'set -eo pipefail' : 'set +e';
  return `echo '@@step ${nth}@@'\n${mode}\n{ ${run}\n} 2>&1\necho "@@exit $?@@"`;
}

/** One at a time, as all of them take the same port. */
function serving(command: string): string {
  return `stop_server
{ ${command}
} > server.log 2>&1 & server=$!
for second in $(seq ${READY_SECONDS}); do
  grep -qE '${READY}' server.log && break
  kill -0 "$server" || break
  sleep 1
done
grep -qE '${READY}' server.log || { cat server.log; false; }`;
}
