import { describe, expect, it } from 'vitest';
import {
  folderImportViolations,
  folderSizeViolations,
  migrationViolations,
} from './support/tidy/folder-rules.ts';
import { cycleViolations, layerViolations, promiseViolations } from './support/tidy/import-rules.ts';
import { readProject, type SourceTree } from './support/tidy/source-tree.ts';
import {
  castViolations,
  docPathViolations,
  environmentViolations,
  gapViolations,
  lengthViolations,
  lockViolations,
  moduleStateViolations,
  nameViolations,
  purityViolations,
  standAloneViolations,
} from './support/tidy/text-rules.ts';
import { unusedViolations } from './support/tidy/unused-rules.ts';

/** The architecture as a test. Every rule holds for the project, and is shown to bite on a planted violation. */
const project = readProject();

type Rule = (tree: SourceTree) => string[];
type Plants = readonly (readonly [why: string, files: Record<string, string>])[];

const rules: [name: string, rule: Rule, plants: Plants][] = [
  [
    'imports point down the layers',
    layerViolations,
    [
      ['core imports a flow', { 'src/core/a.ts': "import { x } from '../flows/x.ts';" }],
      ['a flow imports an adapter', { 'src/flows/a.ts': "import type { X } from '../adapters/store/x.ts';" }],
      ['http imports mcp, which main hands in', { 'src/http/a.ts': "import { x } from '../mcp/x.ts';" }],
      ['core imports a package that is not its own', { 'src/core/a.ts': "import { Hono } from 'hono';" }],
      [
        'core imports chance from node:crypto',
        { 'src/core/a.ts': "import { createHash, randomBytes } from 'node:crypto';" },
      ],
      ['core imports the file system', { 'src/core/a.ts': "import { readFileSync } from 'node:fs';" }],
      ['a re-export counts', { 'src/core/a.ts': "export { x } from '../wire/x.ts';" }],
      ['a layer nobody knows', { 'src/misc/a.ts': "import { x } from '../core/x.ts';" }],
    ],
  ],
  [
    'the promises of the import graph',
    promiseViolations,
    [
      ['ranking sees access', { 'src/core/catalog/a.ts': "import { x } from '../access/x.ts';" }],
      ['grading sees access', { 'src/core/known-answer/a.ts': "import { x } from '../access/x.ts';" }],
      [
        'the judge sees access through another file',
        {
          'src/core/verdict/a.ts': "import { b } from '../b.ts';",
          'src/core/b.ts': "import { x } from './access/x.ts';",
        },
      ],
      ['a route holds the wallet', { 'src/http/a.ts': "import { pay } from '../adapters/wallet/pay.ts';" }],
      ['a socket outside the prober', { 'src/adapters/store/a.ts': "import { connect } from 'node:net';" }],
      ['the service opens a gate', { 'src/main/a.ts': "import { x } from '../core/lint/local-gate.ts';" }],
      ['a service lints', { 'src/main/serve/a.ts': "import { x } from '../commands/lint-outbound.ts';" }],
      [
        'main wires the sandbox into the service',
        { 'src/main/serve.ts': "import { x } from '../sandbox/x.ts';" },
      ],
      [
        'the guard imports an adapter',
        { 'src/guard/index.ts': "export { x } from '../adapters/store/x.ts';" },
      ],
      [
        'the guard reaches a Node module through another file',
        {
          'src/guard/index.ts': "export { a } from './a.ts';",
          'src/guard/a.ts': "import { readFileSync } from 'node:fs';",
        },
      ],
      ['the guard imports a package', { 'src/guard/index.ts': "import { z } from 'zod';" }],
    ],
  ],
  [
    'no import cycles',
    cycleViolations,
    [
      [
        'two files import each other',
        { 'src/core/a.ts': "import { b } from './b.ts';", 'src/core/b.ts': "import { a } from './a.ts';" },
      ],
      [
        'for types alone',
        {
          'src/core/a.ts': "import type { B } from './b.ts';",
          'src/core/b.ts': "import type { A } from './a.ts';",
        },
      ],
      [
        'through a third file',
        {
          'src/core/a.ts': "import { b } from './b.ts';",
          'src/core/b.ts': "import type { C } from './c.ts';",
          'src/core/c.ts': "export { a } from './a.ts';",
        },
      ],
    ],
  ],
  [
    'bench, lab, test and tools import in one direction',
    folderImportViolations,
    [
      ['tools import a bench', { 'tools/a.ts': "import { run } from '../bench/run.ts';" }],
      ['tools import a test', { 'tools/a.ts': "import { x } from '../test/support/judging.ts';" }],
      ['a bench imports the lab', { 'bench/a.ts': "import { run } from '../lab/chaos/run.ts';" }],
      ['the lab imports a test', { 'lab/load/a.ts': "import { x } from '../../test/support/judging.ts';" }],
      ['a spawned program counts', { 'lab/world/a.mjs': "import { run } from '../../bench/run.ts';" }],
      ['a script imports the lab', { 'scripts/a.ts': "import { run } from '../lab/chaos/run.ts';" }],
      ['the product imports a tool', { 'src/main/a.ts': "import { x } from '../../tools/measure.ts';" }],
      [
        'a unit test imports another test',
        { 'src/core/a.test.ts': "import { x } from '../../test/tidy.test.ts';" },
      ],
    ],
  ],
  [
    'folders have one subject',
    folderSizeViolations,
    [
      [
        '21 files',
        Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`src/core/many/a${index}.ts`, ''])),
      ],
    ],
  ],
  [
    'migrations are frozen',
    migrationViolations,
    [
      [
        "one uses today's code",
        { 'src/adapters/store/migrations/99-a.ts': "import { x } from '../engine/dialect.ts';" },
      ],
      [
        'through a file beside it',
        {
          'src/adapters/store/migrations/99-a.ts': "import { x } from './x.ts';",
          'src/adapters/store/migrations/x.ts': "import type { Y } from '../../../core/y.ts';",
        },
      ],
      ['one uses a package', { 'src/adapters/store/migrations/99-a.ts': "import { z } from 'zod';" }],
    ],
  ],
  [
    'core and flows are pure',
    purityViolations,
    [
      ['the clock', { 'src/core/a.ts': 'const now = new Date();' }],
      ['the clock in a flow', { 'src/flows/a.ts': 'const now = Date.now();' }],
      ['chance', { 'src/core/a.ts': 'const x = Math.random();' }],
      ['a timer', { 'src/flows/a.ts': 'setTimeout(() => 1, 5);' }],
      ['the network', { 'src/core/a.ts': 'await fetch(url);' }],
      ['the process', { 'src/core/a.ts': 'process.exit(1);' }],
      ['code by name', { 'src/core/a.ts': 'await import(name);' }],
    ],
  ],
  [
    'one file reads the environment',
    environmentViolations,
    [['another does', { 'src/http/a.ts': 'const p = process.env.PORT;' }]],
  ],
  [
    'no state in modules',
    moduleStateViolations,
    [
      ['a counter', { 'src/http/a.ts': 'let count = 0;' }],
      ['a map that is filled', { 'src/http/a.ts': 'const a = new Map();\nconst f = () => a.set(1, 2);' }],
      ['a set with a type', { 'src/http/a.ts': 'const a: Set<() => 1> = new Set();\na.add(f);' }],
      ['a list that grows', { 'src/http/a.ts': 'const a: X[] = [];\nfunction f() {\n  a.push(1);\n}' }],
      [
        'a last value',
        { 'src/http/a.ts': 'const a = { n: 0 };\nconst f = () => Object.assign(a, { n: 1 });' },
      ],
      ['a member that is set', { 'src/http/a.ts': 'const a = { n: 0 };\nfunction f() {\n  a.n += 1;\n}' }],
      ['an entry that is set', { 'src/http/a.ts': 'const a = {};\nconst f = (k) => (a[k] = 1);' }],
      ['a lazy value', { 'src/http/a.ts': 'const a = { x: null };\nconst f = () => (a.x ??= make());' }],
    ],
  ],
  ['casts say why', castViolations, [['one does not', { 'src/core/a.ts': 'const x = y as Money;' }]]],
  [
    'no dead code',
    unusedViolations,
    [
      ['a file that nothing imports', { 'src/core/a.ts': 'const x = 1;' }],
      [
        'a function that nothing imports',
        {
          'src/core/a.ts': 'export const x = 1;\nexport function y() {}',
          'src/core/b.ts': "import { x } from './a.ts';",
          'src/main/c.ts': "import './../core/b.ts';",
        },
      ],
    ],
  ],
  [
    'files stay short',
    lengthViolations,
    [
      ['251 lines', { 'src/core/a.ts': 'x\n'.repeat(251) }],
      ['a README of 121 lines', { 'README.md': 'x\n'.repeat(121) }],
    ],
  ],
  ['file names explain themselves', nameViolations, [['utils', { 'src/core/utils.ts': '' }]]],
  [
    'documents name files that exist',
    docPathViolations,
    [
      ['a path in code marks', { 'docs/a.md': 'See `src/core/gone.ts`.' }],
      ['a folder', { 'docs/a.md': 'See `src/gone/`.' }],
      ['a link', { 'docs/a.md': '[x](gone.md)' }],
    ],
  ],
  [
    'the project stands alone',
    standAloneViolations,
    [['a folder beside it', { 'docs/a.md': `see ${'..'}/${'shared'}/x` }]],
  ],
  [
    'the locks have no addresses',
    lockViolations,
    [
      ['one address', { 'package-lock.json': '"resolved": "x"' }],
      ['in the lock of a tool', { 'tools/checkers/package-lock.json': '"resolved": "x"' }],
    ],
  ],
  [
    'cited gaps are explained',
    gapViolations,
    [['one is not', { 'src/core/a.ts': `// gap ${'L999'} says so` }]],
  ],
];

describe.each(rules)('%s', (_, rule, plants) => {
  it('holds', () => {
    expect(rule(project)).toEqual([]);
  });

  it.each(plants)('bites: %s', (_why, files) => {
    expect(rule(new Map([...project, ...Object.entries(files)]))).not.toEqual([]);
  });
});
