import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { projectFile } from '../../tools/project-file.ts';

/** Reads a file of fixtures/ and checks its shape, so that a damaged fixture fails loudly and not as a missing test. */
export function readFixture<T>(name: string, schema: z.ZodType<T>): T {
  const path = projectFile(`fixtures/${name}`);
  return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
