import { type JudgedAgain, judgeAgain as judgeStatement } from '../src/core/statement/judge-again.ts';
import { readStatement } from '../src/core/statement/read-statement.ts';
import { RULES_VERSION } from '../src/core/verdict/verdict.ts';

/** What `rules/<version>.mjs` exports: all that is needed to judge a statement again, with no import but `node:crypto`. */
export const version = RULES_VERSION;

export function judgeAgain(statement: string): JudgedAgain | 'unreadable' {
  const read = readStatement(statement);
  return read === null ? 'unreadable' : judgeStatement(read);
}
