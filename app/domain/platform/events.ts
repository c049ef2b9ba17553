import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { z } from 'zod';
import { afterCommit, type Db } from '#app/db/client.ts';

type Door = 'web' | 'api';
type Provider = 'google' | 'linkedin';
type Nothing = Record<never, never>;
/** What ended a session: its owner, what was changed about the account, an operator, or its time. */
export type SessionEnd =
  | ('sign_out' | 'owner' | 'everywhere' | 'reset' | 'password' | 'email' | 'leaving')
  | ('role' | 'second_step' | 'admin' | 'expired' | 'too_many');

/** What happens that an operator may have to look up, and what is told of each. Never a secret, an address or a text. */
export type Events = {
  sign_up: Nothing;
  sign_in: { door: Door };
  sign_in_failed: { reason: 'credentials' | 'unverified' | 'code' | 'provider' | 'second_step' | 'passkey' };
  second_step: { means: 'totp' | 'recovery_code' | 'passkey' };
  second_step_changed: { change: 'added' | 'removed'; means: 'totp' | 'recovery_code' | 'passkey' };
  proved: { means: 'password' | 'code' };
  proof_failed: { means: 'password' | 'code' };
  session_ended: { why: SessionEnd };
  code_sent: { purpose: 'sign_up' | 'reset' | 'email' | 'proof' };
  password_reset: Nothing;
  password_changed: Nothing;
  email_changed: Nothing;
  identity_linked: { provider: Provider };
  identity_unlinked: { provider: Provider };
  linkedin_connected: Nothing;
  linkedin_disconnected: Nothing;
  role_changed: { role: string };
  access_denied: { what: 'admin' | 'scope' | 'foreign_form' | 'token' };
  limit_hit: { limit: string };
  token_made: { tokenId: string };
  token_revoked: { tokenId: string };
  token_used: { tokenId: string };
  webhook_changed: { webhookId: string; change: 'added' | 'removed' | 'secret' | 'enabled' | 'disabled' };
  admin_action: { action: string; subjectId: string | null };
  export: { what: 'posts' | 'account' | 'ledger' };
  deletion_begun: Nothing;
  deletion_undone: Nothing;
  deletion_done: Nothing;
  publish_outcome: { postId: string; publicationId: string; state: string };
  csp_report: { directive: string; blocked: string; page: string; times: number };
};
export type EventName = keyof Events;
/** An event as it is told: with the request or job in which it happened, and the account that it is about. */
export type EmittedEvent = { event: EventName; requestId: string | null; userId: string | null };

const RequestOf = z.object({ requestId: z.string().max(64) });

const emitted = channel('tidepost:events');
type Around = { requestId: string; userId: string | null; jobId?: string; from?: () => string };
const around = new AsyncLocalStorage<Around>();

/** Runs a request so that every event in it bears its id. `from` reads the network that it comes from. */
export const inRequest = <T>(requestId: string, fn: () => T, from?: () => string): T =>
  around.run({ requestId, userId: null, ...(from && { from }) }, fn);

/** The network from which this is asked for; null of what no request asks for. */
export const requestNetwork = (): string | null => around.getStore()?.from?.() || null;

/** Runs a job. Who had it added is told in its payload; else it goes by its own id. */
export const inJob = <T>(jobId: string, payload: unknown, fn: () => T): T =>
  around.run(
    { requestId: RequestOf.safeParse(payload).data?.requestId ?? `job:${jobId}`, userId: null, jobId },
    fn,
  );

/** The request in which this happens, and the job, for the lines of the log and for jobs that are added. */
export function eventContext(): { requestId?: string; jobId?: string } {
  const { requestId, jobId } = around.getStore() ?? {};
  return { ...(requestId && { requestId }), ...(jobId && { jobId }) };
}

/** Says whose request this is, for the events of which nobody says it. */
export function setEventUser(userId: string): void {
  const request = around.getStore();
  if (request) request.userId = userId;
}

/**
 * Tells an event to whoever watches. Without a `userId` it is about whoever sends the request. With a `db` that is a
 * transaction it is told once that is committed, and never if it is not.
 */
export function emitEvent<K extends EventName>(
  event: K,
  about: Events[K] & { userId?: string | null },
  db?: Db,
): void {
  const { requestId = null, userId = null } = around.getStore() ?? {};
  const line = { event, requestId, userId, ...about };
  const tell = () => emitted.publish(line);
  if (db) afterCommit(db, tell);
  else tell();
}

/** Tells of every event, for the log of this process, until what it returns is called. */
export function watchEvents(tell: (event: EmittedEvent) => void): () => void {
  const listener = (event: unknown) => tell(event as EmittedEvent);
  emitted.subscribe(listener);
  return () => void emitted.unsubscribe(listener);
}
