import { type Import, importsOf, type SourceTree, sources } from './source-tree.ts';

/** Who may import whom: everything points down. What is not listed is not allowed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ports: ['core'],
  flows: ['ports', 'core'],
  wire: ['flows', 'ports', 'core'],
  pages: ['wire', 'flows', 'ports', 'core'],
  mcp: ['wire', 'flows', 'ports', 'core'],
  http: ['pages', 'wire', 'flows', 'ports', 'core'],
  cli: ['wire', 'flows', 'ports', 'core', 'sandbox', 'guard'],
  adapters: ['ports', 'core'],
  sandbox: ['adapters', 'ports', 'core'],
  guard: ['core', 'adapters'],
  rules: ['core', 'guard'],
  main: ['cli', 'http', 'mcp', 'pages', 'guard', 'wire', 'flows', 'ports', 'core', 'adapters', 'sandbox'],
};

/** Packages that the inner layers may use; the outer ones may use what package.json lists. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: ['zod', 'ipaddr.js', 'json-p3', 'node:crypto'],
  ports: [],
  flows: [],
};

/** Hashing and the verification of a signature are arithmetic; everything else in node:crypto is randomness or private keys. */
const PURE_CRYPTO: ReadonlySet<string> = new Set([
  'createHash',
  'createHmac',
  'createPublicKey',
  'hash',
  'timingSafeEqual',
  'verify',
]);

const SOCKETS: ReadonlySet<string> = new Set(
  ['net', 'tls', 'dns', 'dns/promises', 'dgram', 'http', 'https', 'http2']
    .map((name) => `node:${name}`)
    .concat('undici'),
);

export function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}

export function allImports(tree: SourceTree): Import[] {
  return sources(tree).flatMap(([path, text]) => importsOf(path, text));
}

export const isOurs = ({ to }: Import) => to.startsWith('src/');

export function layerViolations(tree: SourceTree): string[] {
  const upward = allImports(tree)
    .filter(isOurs)
    .filter(({ from, to }) => {
      const [lower, upper] = [layerOf(to), layerOf(from)];
      return lower !== upper && !(MAY_IMPORT[upper] ?? []).includes(lower);
    });
  const foreign = allImports(tree)
    .filter((one) => !isOurs(one))
    .filter(({ from, to, names }) => {
      const allowed = PACKAGES[layerOf(from)];
      if (allowed === undefined) return false;
      return (
        !allowed.includes(to) ||
        (to === 'node:crypto' && !namesOf(names).every((name) => PURE_CRYPTO.has(name)))
      );
    });
  return [...upward, ...foreign].map(({ from, to }) => `${from} must not import ${to}`);
}

function namesOf(names: string): string[] {
  return names
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Promises that the import graph keeps, each with its sentence. */
export function promiseViolations(tree: SourceTree): string[] {
  const imports = allImports(tree);
  const reach = reachability(imports.filter(isOurs));
  const within = (path: string, ...places: string[]) => places.some((place) => path.startsWith(place));
  const results = [
    'src/core/catalog/',
    'src/core/verdict/',
    'src/core/known-answer/',
    'src/flows/lookup/look-up-services',
  ];
  const paid = [...reach].flatMap(([from, reached]) =>
    within(from, ...results)
      ? [...reached]
          .filter((to) => within(to, 'src/core/access/'))
          .map((to) => `payment must not change a result: ${from} reaches ${to}`)
      : [],
  );
  const rules: [sentence: string, breaks: (one: Import) => boolean][] = [
    [
      'the server cannot pay',
      ({ from, to }) =>
        within(to, 'src/adapters/wallet/') &&
        !within(
          from,
          'src/adapters/wallet/',
          'src/flows/verify/run-known-answers',
          'src/sandbox/',
          'src/main/',
        ),
    ],
    [
      'sockets to targets are opened in one place',
      ({ from, to, typeOnly }) =>
        SOCKETS.has(to) &&
        !typeOnly &&
        !within(from, 'src/adapters/probe/', 'src/http/server.ts', 'src/sandbox/', 'src/main/') &&
        // Listens for payers on this machine; to sellers it only has the guard's fetch.
        from !== 'src/guard/gateway/gateway-server.ts',
    ],
    [
      'only the command line requests private networks, or sends HEAD and OPTIONS',
      ({ from, to }) =>
        (LINT_DOORS.has(to) && from !== LINT_ENTRY) ||
        (to === LINT_ENTRY && from !== 'src/main/commands/run-ask-command.ts'),
    ],
    [
      'the sandbox is reached through its own entries only',
      ({ from, to }) =>
        within(to, 'src/sandbox/') && !within(from, 'src/sandbox/', 'src/main/sandbox', 'src/cli/sandbox'),
    ],
  ];
  const broken = rules.flatMap(([sentence, breaks]) =>
    imports.filter(breaks).map(({ from, to }) => `${sentence}: ${from} imports ${to}`),
  );
  return [...paid, ...broken, ...portableViolations(imports)];
}

/** The gate with this machine in it, and the door for other methods. */
const LINT_DOORS: ReadonlySet<string> = new Set([
  'src/core/lint/local-gate.ts',
  'src/adapters/probe/create-inspector.ts',
  'src/adapters/probe/system-resolver.ts',
]);
const LINT_ENTRY = 'src/main/commands/lint-outbound.ts';

/** The guard and the rules run in browsers and Workers; ledgers in a database have entries of their own. */
const PORTABLE_ENTRIES = [
  'src/guard/index.ts',
  'src/guard/mcp/guard-transport.ts',
  'src/rules/judge-answer.ts',
] as const;
const PORTABLE_PACKAGE = /^@noble\/hashes(?:\/|$)/;

/** Types are gone when the code runs, so only values count. */
function portableViolations(imports: readonly Import[]): string[] {
  const values = imports.filter(({ typeOnly }) => !typeOnly);
  const reach = reachability(values.filter(isOurs));
  const reached = new Set(PORTABLE_ENTRIES.flatMap((entry) => [entry, ...(reach.get(entry) ?? [])]));
  return values
    .filter(({ from }) => reached.has(from))
    .filter((one) => (isOurs(one) ? one.to.startsWith('src/adapters/') : !PORTABLE_PACKAGE.test(one.to)))
    .map(({ from, to }) => `the guard runs without Node: ${from} imports ${to}`);
}

/** Everything a file imports, directly or through others. */
export function reachability(imports: readonly Import[]): Map<string, Set<string>> {
  const direct = new Map<string, string[]>();
  for (const { from, to } of imports) direct.set(from, [...(direct.get(from) ?? []), to]);
  const reach = new Map<string, Set<string>>();
  for (const start of direct.keys()) {
    const seen = new Set<string>();
    const queue = [...(direct.get(start) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(direct.get(next) ?? []));
    }
    reach.set(start, seen);
  }
  return reach;
}

/** Files that reach each other. Types count: two files that need each other's types are one subject. */
export function cycleViolations(tree: SourceTree): string[] {
  const reach = reachability(allImports(tree).filter(isOurs));
  const reaches = (from: string, to: string) => reach.get(from)?.has(to) === true;
  const cycles = [...reach.keys()]
    .filter((from) => reaches(from, from))
    .map((from) => [...reach.keys()].filter((to) => reaches(from, to) && reaches(to, from)).sort());
  return [...new Set(cycles.map((files) => `import cycle: ${files.join(', ')}`))];
}
