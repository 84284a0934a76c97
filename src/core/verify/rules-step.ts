import type { JudgedAgain } from '../statement/judge-again.ts';
import type { StatementFacts } from './statement-facts.ts';
import { type Step, step } from './step.ts';

/** The rules file of one version. */
export type Judge = (statement: string) => JudgedAgain | 'unreadable';

const MEMBERS_SHOWN = 5;

/** Whether the verdict follows from what the statement says was seen. Null: no rules of that version are installed. */
export function rulesStep(facts: StatementFacts, judge: Judge | null): Step {
  const { rules, verdict, reason, text } = facts;
  if (judge === null) {
    return step('rules', 'not_checked', `version ${rules} is not in this release: update assay`);
  }
  const judged = judge(text);
  if (judged === 'unreadable')
    return step('rules', 'failed', `no statement that version ${rules} would write`);
  if (judged === 'not_checkable')
    return step('rules', 'not_checked', `nothing was requested, so ${reason} cannot be judged again`);
  if (judged.length === 0) return step('rules', 'ok', `version ${rules} gives ${verdict}, ${reason} again`);
  const members = judged.slice(0, MEMBERS_SHOWN).map(({ member }) => member);
  return step('rules', 'failed', `version ${rules} disagrees about ${members.join(', ')}`);
}
