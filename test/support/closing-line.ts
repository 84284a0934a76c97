import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that any log reader understands: '12 passed, 0 failed, 1 skipped'. */
class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      count.failed += module.errors().length;
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  }
}

// biome-ignore lint/style/noDefaultExport: the test runner loads a reporter by its default export.
export default ClosingLine;
