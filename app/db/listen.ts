import pg from 'pg';

const AGAIN_AFTER_MS = 1_000;

/**
 * Calls `act` for each notice of a channel of the database, and whenever the connection for it was made anew, as what was
 * said meanwhile is not known. A database that is away is asked again each second. Answers what ends it.
 */
export function listen(url: string, channel: string, act: () => void): () => Promise<void> {
  let client: pg.Client | undefined;
  let isOver = false;
  let again: NodeJS.Timeout | undefined;

  const begin = async () => {
    const own = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = own;
    const broken = () => {
      if (client !== own || isOver) return;
      client = undefined;
      own.end().catch(() => {});
      again = setTimeout(begin, AGAIN_AFTER_MS).unref();
    };
    own.on('error', broken).on('end', broken).on('notification', act);
    try {
      await own.connect();
      await own.query(`listen ${own.escapeIdentifier(channel)}`);
      act();
    } catch {
      broken();
    }
  };
  void begin();
  return async () => {
    isOver = true;
    clearTimeout(again);
    await client?.end().catch(() => {});
  };
}
