import { Refusal } from '#app/domain/platform/refusal.ts';
import { logger } from '#app/log.ts';

/**
 * Runs a command whose "no" travels on as a code in an address: the code, or null when it went well. What
 * a provider said behind it is logged.
 */
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
