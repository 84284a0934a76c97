import { type TaskIndex, taskNames } from '../core/catalog/task-index.ts';
import { answerRendered, renderedJson } from './answer.ts';
import type { Handler } from './exchange/exchange.ts';

/** GET /v1/tasks: a map from task name to service ids. The catalog is read at start-up, so it is rendered once. */
export function tasksRoute(index: TaskIndex): Handler {
  const tasks = renderedJson(Object.fromEntries(taskNames(index)), { 'cache-control': 'public, max-age=60' });
  return (exchange) => answerRendered(exchange, tasks);
}
