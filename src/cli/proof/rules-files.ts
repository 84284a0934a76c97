import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Judge } from '../../core/verify/rules-step.ts';

const FOLDER = new URL('../../../rules/', import.meta.url);
const VERSION = /^[0-9]{1,6}$/;

const judged = z.union([
  z.literal('unreadable'),
  z.literal('not_checkable'),
  z.array(z.object({ member: z.string(), stated: z.string().nullable(), judged: z.string().nullable() })),
]);

/** The rules of a version as they were installed with this program, never as a service shows them. */
export interface RulesFiles {
  /** Null for a version that is not installed. */
  judge(version: string): Promise<Judge | null>;
  sha256(version: string): Uint8Array | null;
}

export function installedRules(): RulesFiles {
  const judges = new Map<string, Promise<Judge>>();
  return {
    async judge(version) {
      const file = fileOf(version);
      if (file === null) return null;
      const known = judges.get(version) ?? load(file);
      judges.set(version, known);
      return known;
    },
    sha256(version) {
      const file = fileOf(version);
      return file === null ? null : hash('sha256', readFileSync(file), 'buffer');
    },
  };
}

function fileOf(version: string): URL | null {
  const file = new URL(`${version}.mjs`, FOLDER);
  return VERSION.test(version) && existsSync(file) ? file : null;
}

async function load(file: URL): Promise<Judge> {
  const module: { readonly judgeAgain?: unknown } = await import(file.href);
  const { judgeAgain } = module;
  if (typeof judgeAgain !== 'function') throw new Error('a rules file has no judge');
  return (statement) => judged.parse(judgeAgain(statement));
}
