import { INTERFACE_VERSION } from '../../core/interface-version.ts';
import type { Readiness } from '../../flows/operate/readiness.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import type { Routes } from '../app.ts';
import { answerJson, answerProblem, NO_STORE } from '../exchange/answer.ts';

export interface HealthParts {
  readonly version: string;
  readonly readiness: () => Promise<Readiness>;
}

/** /healthz: the process answers. /readyz: it can also serve callers. */
export function healthRoutes({ version, readiness }: HealthParts): Routes {
  const health = JSON.stringify({ ok: true, status: 'ok', version, interface: INTERFACE_VERSION });
  return {
    '/healthz': { nature: 'health', GET: (exchange) => answerJson(exchange, 200, health, NO_STORE) },
    '/readyz': {
      nature: 'health',
      async GET(exchange) {
        const { isReady, checks } = await readiness();
        if (!isReady) return answerProblem(exchange, { ...problemOf(checks), members: { checks } });
        return answerJson(
          exchange,
          200,
          JSON.stringify({ ok: true, status: 'ok', version, checks }),
          NO_STORE,
        );
      },
    },
  };
}

function problemOf({ store, process }: Readiness['checks']): Problem {
  const retryAfterSeconds = 5;
  if (store !== 'ok') {
    return { code: 'store_unavailable', detail: 'The store is unavailable.', retryAfterSeconds };
  }
  const detail =
    process === 'stopping'
      ? 'This process is shutting down.'
      : 'The store does not have the tables of this version.';
  return { code: 'not_ready', detail, retryAfterSeconds };
}
