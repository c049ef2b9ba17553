import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { z } from 'zod';
import { afterCommit, type Db } from '#app/db/client.ts';

type Door = 'web' | 'api';
type Provider = 'google' | 'linkedin';
type NoFields = Record<never, never>;
export type SessionEnd =
  | ('sign_out' | 'owner' | 'everywhere' | 'reset' | 'password' | 'email' | 'leaving')
  | ('role' | 'second_step' | 'admin' | 'expired' | 'too_many');

/** Events that operators may have to look up, with their fields. They never contain a secret, an address or a text. */
export type Events = {
  sign_up: NoFields;
  sign_in: { door: Door };
  sign_in_failed: { reason: 'credentials' | 'unverified' | 'code' | 'provider' | 'second_step' | 'passkey' };
  second_step: { means: 'totp' | 'recovery_code' | 'passkey' };
  second_step_changed: { change: 'added' | 'removed'; means: 'totp' | 'recovery_code' | 'passkey' };
  proved: { means: 'password' | 'code' };
  proof_failed: { means: 'password' | 'code' };
  session_ended: { why: SessionEnd };
  code_sent: { purpose: 'sign_up' | 'reset' | 'email' | 'proof' };
  password_reset: NoFields;
  password_changed: NoFields;
  email_changed: NoFields;
  identity_linked: { provider: Provider };
  identity_unlinked: { provider: Provider };
  linkedin_connected: NoFields;
  linkedin_disconnected: NoFields;
  role_changed: { role: string };
  access_denied: { what: 'admin' | 'scope' | 'foreign_form' | 'token' };
  limit_hit: { limit: string };
  token_made: { tokenId: string };
  token_revoked: { tokenId: string };
  token_used: { tokenId: string };
  webhook_changed: { webhookId: string; change: 'added' | 'removed' | 'secret' | 'enabled' | 'disabled' };
  admin_action: { action: string; subjectId: string | null };
  export: { what: 'posts' | 'account' | 'ledger' };
  deletion_begun: NoFields;
  deletion_undone: NoFields;
  deletion_done: NoFields;
  publish_outcome: { postId: string; attemptId: string; state: string };
  csp_report: { directive: string; blocked: string; page: string; times: number };
};
export type EventName = keyof Events;
/** An event with the request or job in which it happened, and the account that it is about. */
export type EmittedEvent = { event: EventName; requestId: string | null; userId: string | null };

const RequestPayload = z.object({ requestId: z.string().max(64) });

const emitted = channel('tidepost:events');
type EventContext = { requestId: string; userId: string | null; jobId?: string; network?: () => string };
const contextStorage = new AsyncLocalStorage<EventContext>();

/** Runs a request so that every event in it carries its id. `network` reads the client's network. */
export const inRequest = <T>(requestId: string, fn: () => T, network?: () => string): T =>
  contextStorage.run({ requestId, userId: null, ...(network && { network }) }, fn);

/** The client's network, or null outside of a request. */
export const requestNetwork = (): string | null => contextStorage.getStore()?.network?.() || null;

/** Runs a job. Its events carry the id of the request that added it, from its payload, or else its own. */
export const inJob = <T>(jobId: string, payload: unknown, fn: () => T): T =>
  contextStorage.run(
    { requestId: RequestPayload.safeParse(payload).data?.requestId ?? `job:${jobId}`, userId: null, jobId },
    fn,
  );

/** The ids of the current request and job, for log lines and for jobs that are added. */
export function eventContext(): { requestId?: string; jobId?: string } {
  const { requestId, jobId } = contextStorage.getStore() ?? {};
  return { ...(requestId && { requestId }), ...(jobId && { jobId }) };
}

/** Sets the user of the current request, for events that name none. */
export function setEventUser(userId: string): void {
  const request = contextStorage.getStore();
  if (request) request.userId = userId;
}

/** Without a `userId` it is about the user of the request. With a transaction it is emitted after the commit. */
export function emitEvent<K extends EventName>(
  event: K,
  fields: Events[K] & { userId?: string | null },
  db?: Db,
): void {
  const { requestId = null, userId = null } = contextStorage.getStore() ?? {};
  const emittedEvent = { event, requestId, userId, ...fields };
  const publish = () => emitted.publish(emittedEvent);
  if (db) afterCommit(db, publish);
  else publish();
}

/** Calls `listener` with every event of this process, until the returned function is called. */
export function watchEvents(listener: (event: EmittedEvent) => void): () => void {
  const subscriber = (event: unknown) => listener(event as EmittedEvent);
  emitted.subscribe(subscriber);
  return () => void emitted.unsubscribe(subscriber);
}
