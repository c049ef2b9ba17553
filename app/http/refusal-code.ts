import { Refusal } from '#app/domain/platform/refusal.ts';
import { logger } from '#app/log.ts';

/** Returns the code of the Refusal that a command throws, for a redirect URL, or null on success. Logs its cause. */
export async function refusalCodeOf(command: Promise<unknown>): Promise<string | null> {
  try {
    await command;
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.cause) logger().warn({ err: error.cause }, 'a provider said no');
    return error.code;
  }
}
