import { Hono } from 'hono';
import { INTERFACE_VERSION } from '../core/interface-version.ts';
import { frontPage } from '../pages/front-page.ts';
import { problemResponse } from './problem.ts';

export interface AppParts {
  readonly version: string;
  readonly newRequestId: () => string;
  /** Told of every failure that is our own fault; the caller only gets the id. */
  readonly reportFault: (requestId: string, fault: unknown) => void;
}

const NOT_FOUND = { status: 404, code: 'not_found', title: 'Not found' } as const;
const INTERNAL = { status: 500, code: 'internal_error', title: 'Internal error' } as const;

export function createApp({ version, newRequestId, reportFault }: AppParts): Hono {
  const app = new Hono({ strict: false });
  app.get('/healthz', (context) => context.json({ ok: true, version, interface: INTERFACE_VERSION }));
  app.get('/', async (context) => context.html(await frontPage({ version }), 200, PAGE_HEADERS));
  app.notFound(() =>
    problemResponse(
      { ...NOT_FOUND, detail: 'There is nothing at this path. See / for what is served.' },
      newRequestId(),
    ),
  );
  app.onError((fault) => {
    const requestId = newRequestId();
    reportFault(requestId, fault);
    return problemResponse({ ...INTERNAL, detail: 'Something failed on our side.' }, requestId);
  });
  return app;
}

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
