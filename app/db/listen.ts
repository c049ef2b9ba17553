import pg from 'pg';

const RECONNECT_MS = 1_000;

/**
 * Calls `onNotify` for each notification of a Postgres channel, and after each (re)connection, because notifications may have
 * been missed. Returns a function that stops listening.
 */
export function listen(url: string, channel: string, onNotify: () => void): () => Promise<void> {
  let current: pg.Client | undefined;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    current = client;
    const reconnect = () => {
      if (current !== client || isStopped) return;
      current = undefined;
      client.end().catch(() => {});
      retry = setTimeout(connect, RECONNECT_MS).unref();
    };
    client.on('error', reconnect).on('end', reconnect).on('notification', onNotify);
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onNotify();
    } catch {
      reconnect();
    }
  };
  void connect();
  return async () => {
    isStopped = true;
    clearTimeout(retry);
    await current?.end().catch(() => {});
  };
}
