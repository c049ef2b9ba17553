import { z } from 'zod';
import type { Sent } from '#app/domain/publishing/send/attempt.ts';
import type { PostOutcome } from '#app/integrations/linkedin-posts.ts';

/** What LinkedIn has answered to an attempt. */
export type Answer = { publication: Sent; outcome: PostOutcome };

const sent = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  userId: z.uuid(),
  confirmsId: z.uuid().nullable(),
  authorUrn: z.string(),
  body: z.string(),
  imageUrn: z.string().nullable(),
  altText: z.string().nullable(),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS']),
  startedAt: z.iso.datetime().transform((text) => new Date(text)),
  tokenSealed: z.string().optional(),
}) satisfies z.ZodType<Sent>;

const urn = z.string().nullable();
const code = z.string().nullable();
const message = z.string();
const status = z.int();
const word = z.string().optional();
const trace = z
  .object({ liUuid: word, liRequestId: word, liFabric: word, liPop: word, liError: word })
  .optional();

type Kinds = { [Kind in PostOutcome['kind']]: z.ZodType<Extract<PostOutcome, { kind: Kind }>> };

const KINDS = {
  published: z.object({ kind: z.literal('published'), urn, status, trace }),
  duplicate: z.object({ kind: z.literal('duplicate'), urn, status, trace }),
  media_waiting: z.object({ kind: z.literal('media_waiting'), isUploadEnded: z.boolean(), status, trace }),
  refused: z.object({ kind: z.literal('refused'), code, message, status, trace }),
  unauthorized: z.object({ kind: z.literal('unauthorized'), code, status, trace }),
  version: z.object({ kind: z.literal('version'), status, trace }),
  throttled: z.object({
    kind: z.literal('throttled'),
    scope: z.enum(['short', 'member_day', 'app_day']),
    retryAfterSeconds: z.number().nullable(),
    status,
    trace,
  }),
  not_sent: z.object({ kind: z.literal('not_sent'), message, isOurs: z.literal(true).optional(), trace }),
  unknown: z.object({ kind: z.literal('unknown'), message, status: status.nullable(), trace }),
} satisfies Kinds;

/** An answer as it lies on the disk; `database` is the one that the attempt was written to. */
export const KeptAnswer = z.object({
  publication: sent,
  outcome: z.union(Object.values(KINDS)),
  database: z.string().optional(),
});
