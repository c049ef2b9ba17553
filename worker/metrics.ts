import { createServer, type Server } from 'node:http';
import { env } from '#app/env.ts';
import { logger } from '#app/log.ts';
import { countError, durationHistogram, metricsAccess, registry } from '#app/metrics.ts';

const jobSeconds = durationHistogram(
  'tidepost_job_duration_seconds',
  'How long tries of jobs and ticks took, by task and what came of them.',
  ['task', 'outcome'] as const,
  [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 150, 300],
);

/** Runs one attempt of a job and records its duration and outcome. */
export async function measureAttempt<T>(task: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  try {
    const result = await run();
    jobSeconds.observe({ task, outcome: 'done' }, seconds());
    return result;
  } catch (error) {
    jobSeconds.observe({ task, outcome: 'failed' }, seconds());
    countError('job');
    throw error;
  }
}

/** Serves this worker's metrics on METRICS_PORT, if it is set. */
export function serveMetrics(): void {
  const { METRICS_PORT: port, METRICS_BIND: bind } = env();
  if (port === undefined) return;
  const server: Server = createServer(async (request, response) => {
    const isMetrics = request.url?.split('?')[0] === '/metrics' && request.method === 'GET';
    const access = isMetrics ? metricsAccess(request.headers.authorization) : 'unknown';
    if (access !== 'allowed') {
      if (access === 'refused') response.setHeader('WWW-Authenticate', 'Bearer');
      response.writeHead(access === 'refused' ? 401 : 404, { 'Content-Type': 'text/plain' }).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
    response.end(await registry.metrics());
  });
  // A port that is taken must not end the worker.
  server.on('error', (err) => logger().warn({ err }, 'the metrics of the worker cannot be asked for'));
  server.listen(port, bind === 'all' ? '::' : '127.0.0.1');
}
