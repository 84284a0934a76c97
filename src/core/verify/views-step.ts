import { readStatement } from '../statement/read-statement.ts';
import { isSignedView } from '../vantage/messages.ts';
import { CLOCK_SLACK_MS } from '../vantage/vantage-limits.ts';
import type { StatementFacts } from './statement-facts.ts';
import { type Step, step } from './step.ts';

/** Two clocks that are apart, and the time between the two looks. */
const APART_MS = 2 * CLOCK_SLACK_MS;

/** Whether others signed what the statement says they saw, at that time. Null where nobody else was asked. */
export function viewsStep({ text }: StatementFacts): Step | null {
  const statement = readStatement(text);
  if (statement === null || statement.views === null) return null;
  const { views } = statement.views;
  const lookedAt = (statement.kind === 'live' ? statement.probe.probedAt : statement.checkedAt).getTime();
  const unsigned = views.filter((view) => !isSignedView(view));
  if (unsigned.length > 0) return step('views', 'failed', `${unsigned.length} of ${views.length} not signed`);
  const away = views.filter(({ at }) => Math.abs(at.getTime() - lookedAt) > APART_MS);
  if (away.length > 0) return step('views', 'failed', `${away.length} of ${views.length} from another time`);
  return step('views', 'ok', `${views.length} of others, each signed by its key`);
}
