import { describe, expect, it } from 'vitest';
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
      [
        'the judge sees access through another file',
        {
          'src/core/verdict/a.ts': "import { b } from '../b.ts';",
          'src/core/b.ts': "import { x } from './access/x.ts';",
        },
      ],
      ['a route holds the wallet', { 'src/http/a.ts': "import { pay } from '../adapters/wallet/pay.ts';" }],
      ['a socket outside the prober', { 'src/adapters/store/a.ts': "import { connect } from 'node:net';" }],
      [
        'main wires the sandbox into the service',
        { 'src/main/serve.ts': "import { x } from '../sandbox/x.ts';" },
      ],
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
  ['no state in modules', moduleStateViolations, [['a counter', { 'src/http/a.ts': 'let count = 0;' }]]],
  ['casts say why', castViolations, [['one does not', { 'src/core/a.ts': 'const x = y as Money;' }]]],
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
    'the lock has no addresses',
    lockViolations,
    [['one address', { 'package-lock.json': '"resolved": "x"' }]],
  ],
  [
    'cited gaps are explained',
    gapViolations,
    [['one is not', { 'src/core/a.ts': `// gap ${'G99'} says so` }]],
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
