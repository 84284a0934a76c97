import type { TestProject } from 'vitest/node';
import { startServer } from '../../../tools/store-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one server that all tests of a run share. */
    postgresUrl: string;
  }
}

/** The runner calls it once before the first test of a project, and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startServer();
  project.provide('postgresUrl', url);
  return stop;
}
