import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, stepsOf } from '../../../tools/documents/blocks.ts';
import { walkThrough } from '../../../tools/documents/walk.ts';
import { projectFile } from '../../../tools/project-file.ts';
import { openDocumentWorld } from '../../support/documents/world.ts';

const PROJECT = projectFile('.');
const DOCUMENTS = readdirSync(join(PROJECT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const RUN = new Set(['sh', 'console']);
const WRITTEN = new Set(['.git', 'data', 'dist-scripts']);
const NEEDS_SANDBOX = new Set(['docs/command-line.md', 'docs/mcp.md', 'docs/sellers.md']);
/** It has a test of its own. */
const DOCUMENT_OF_VERIFICATION = 'docs/verify.md';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function blocksIn(document: string): readonly Block[] {
  return blocksOf(readFileSync(join(PROJECT, document), 'utf8'));
}

/** As a clone, but for what the commands of a document write. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-document-'));
  folders.push(folder);
  for (const name of readdirSync(PROJECT).filter((one) => !WRITTEN.has(one))) {
    symlinkSync(join(PROJECT, name), join(folder, name));
  }
  return folder;
}

describe('the commands in the documents', () => {
  const walked = DOCUMENTS.filter(
    (document) =>
      document !== DOCUMENT_OF_VERIFICATION &&
      blocksIn(document).some(({ language, notRun }) => RUN.has(language) && notRun === null),
  );

  it.each(walked)('%s: all of them do what is printed', async (document) => {
    const steps = blocksIn(document)
      .filter(({ language, notRun }) => RUN.has(language) && notRun === null)
      .flatMap(stepsOf);
    const world = await openDocumentWorld(checkout(), NEEDS_SANDBOX.has(document));
    try {
      expect(await walkThrough(steps, world.walk)).toEqual([]);
    } finally {
      await world.close();
    }
  });
});

describe('the other blocks in the documents', () => {
  const all = ['README.md', ...DOCUMENTS].flatMap((document) =>
    blocksIn(document).map((block) => ({ document, ...block })),
  );

  it('are the example that the README names', () => {
    const [program] = all.filter(({ language }) => language === 'js');
    expect(readFileSync(join(PROJECT, 'examples/first-purchase.mjs'), 'utf8')).toContain(program?.text);
  });

  it('are JSON where they say so', () => {
    for (const { document, line, text } of all.filter(({ language }) => language === 'json')) {
      expect(() => JSON.parse(text), `${document}:${line}`).not.toThrow();
    }
  });

  it('are programs that a compiler accepts', () => {
    const folder = checkout();
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'given.d.ts'), GIVEN);
    writeFileSync(join(programs, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    for (const { document, line, text } of all.filter(({ language }) => language === 'ts')) {
      const name = `${document.replaceAll('/', '-').replace('.md', '')}-line-${line}.ts`;
      writeFileSync(join(programs, name), `${text}\nexport {};\n`);
    }
    const { stdout } = spawnSync('node_modules/.bin/tsc', ['-p', 'programs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});

const TSCONFIG = {
  extends: '../tsconfig.json',
  compilerOptions: { noEmit: true, noUnusedLocals: false, noUnusedParameters: false },
  include: ['.'],
};

/** What the text around a program has said already. */
const GIVEN = `
declare const assay: string;
declare const url: string;
declare const key: \`0x\${string}\`;
declare const check: { readonly payment_terms_sha256: string };
declare const scheme: import('@x402/evm/exact/client').ExactEvmScheme;
declare const client: import('@x402/fetch').x402Client;
declare const wrapFetchWithPayment: typeof import('@x402/fetch').wrapFetchWithPayment;
declare const x402HTTPClient: typeof import('@x402/fetch').x402HTTPClient;
declare const x402Client: typeof import('@x402/fetch').x402Client;
declare const sign: (terms: unknown) => void;
declare const createHash: typeof import('node:crypto').createHash;
`;
