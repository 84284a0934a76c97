import { INTERFACE_VERSION } from '../core/interface-version.ts';
import { answerJson, answerProblem, NO_STORE } from './answer.ts';
import type { Routes } from './app.ts';

export interface HealthParts {
  readonly version: string;
  /** Reads something from the store; throws when that is not possible. */
  readonly isReady: () => Promise<unknown>;
}

/** /healthz: the process answers. /readyz: it can also reach its store, so that callers may be sent to it. */
export function healthRoutes({ version, isReady }: HealthParts): Routes {
  const health = JSON.stringify({ ok: true, status: 'ok', version, interface: INTERFACE_VERSION });
  const ready = JSON.stringify({ ok: true, status: 'ok', version, checks: { store: 'ok' } });
  return {
    '/healthz': { GET: (exchange) => answerJson(exchange, 200, health, NO_STORE) },
    '/readyz': {
      async GET(exchange) {
        try {
          await isReady();
        } catch {
          const detail = 'The store cannot be used just now.';
          return answerProblem(exchange, { code: 'store_unavailable', detail, retryAfterSeconds: 5 });
        }
        return answerJson(exchange, 200, ready, NO_STORE);
      },
    },
  };
}
