import { createServer, type Server } from 'node:http';
import type { Metrics } from '../../adapters/system/metrics.ts';

/** Metrics for the operator on a separate port, not reachable by callers (gap G84). */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
