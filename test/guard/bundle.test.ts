import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

async function bundled(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    // Knows no module of Node: an import of one would fail.
    platform: 'neutral',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** What decides: reading a 402, judging it, and comparing what was signed with what was approved. */
const RULES = `
  export { judge } from './src/core/verdict/judge.ts';
  export { readOutcome } from './src/core/verdict/reading.ts';
  export { reasonWords } from './src/core/verdict/reason-words.ts';
  export { asksForExactly, paysExactly } from './src/core/verdict/exact-terms.ts';
  export { readPayment } from './src/core/x402/payment-payload.ts';
  export { termsSha256Of } from './src/guard/ledger/purchase-terms.ts';
`;

describe('in browsers and Workers', () => {
  it('the rules are small: below 30 kB, and below 12 kB compressed', async () => {
    const bytes = await bundled(RULES);
    expect(bytes.byteLength).toBeGreaterThan(10_000);
    expect(bytes.byteLength).toBeLessThan(30_000);
    expect(gzipSync(bytes).byteLength).toBeLessThan(12_000);
  });

  it('the whole guard needs no module of Node: below 100 kB, and below 36.5 kB compressed', async () => {
    const bytes = await bundled("export * from './src/guard/index.ts';");
    expect(bytes.byteLength).toBeLessThan(100_000);
    expect(gzipSync(bytes).byteLength).toBeLessThan(36_500);
  });

  it('so does its MCP transport, without the SDK', async () => {
    const bytes = await bundled("export * from './src/guard/mcp/guard-transport.ts';");
    expect(bytes.byteLength).toBeLessThan(20_000);
  });

  it('a module of Node would be noticed', async () => {
    await expect(bundled("export * from './src/guard/ledger/sqlite-ledger.ts';")).rejects.toThrow(
      'Could not resolve',
    );
  });
});
