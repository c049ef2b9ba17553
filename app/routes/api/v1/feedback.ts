import { z } from 'zod';
import { type BoardEntry, findFeedback, listBoard } from '#app/domain/feedback/board.ts';
import { listFeedback, type ManagedFeedback, setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { AllFeedbackQuery, FeedbackInput, FeedbackStatusInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, email, id, instant, name, pageOf } from '#app/http/api/schemas.ts';

const FeedbackFields = z.object({
  _id: id,
  type: z.string(),
  title: z.string(),
  description: z.string(),
  rating: z.int().min(1).nullable(),
  upvotes: count,
  status: z.string(),
  createdAt: instant,
});
type FeedbackFields = z.infer<typeof FeedbackFields>;

const Feedback = FeedbackFields.extend({
  userId: z
    .object({ name, email })
    .nullable()
    .meta({ description: 'The author, if that is you; null for the feedback of others' }),
  upvoted: z.boolean(),
}).meta({ id: 'Feedback' });
type Feedback = z.infer<typeof Feedback>;

const AdminFeedback = FeedbackFields.extend({
  userId: z.object({ _id: id, name, email }),
}).meta({ id: 'AdminFeedback' });
type AdminFeedback = z.infer<typeof AdminFeedback>;

const OneFeedback = z.object({ feedback: Feedback });

const fieldsShape = (entry: Omit<BoardEntry, 'isOwn' | 'hasVoted'>): FeedbackFields => ({
  _id: entry.id,
  type: entry.type,
  title: entry.title,
  description: entry.description,
  rating: entry.rating,
  upvotes: entry.upvotes,
  status: entry.status,
  createdAt: entry.createdAt.toISOString(),
});

const feedbackShape = (entry: BoardEntry, { name, email }: Actor): Feedback => ({
  ...fieldsShape(entry),
  userId: entry.isOwn ? { name, email } : null,
  upvoted: entry.hasVoted,
});

const adminFeedbackShape = (entry: ManagedFeedback): AdminFeedback => ({
  ...fieldsShape(entry),
  userId: { _id: entry.userId, name: entry.name, email: entry.email },
});

export const feedbackCalls: Calls = {
  '/feedback/submit': {
    POST: endpoint({
      summary: 'Posts feedback on the board',
      access: 'user',
      input: FeedbackInput,
      example: { type: 'improvement', title: 'A mail each week', description: 'One is enough.', rating: 5 },
      isIdempotent: true,
      status: 201,
      response: OneFeedback,
      handle: async ({ db, actor, input }) => ({
        feedback: feedbackShape(await submitFeedback(db, actor, input, 'program'), actor),
      }),
    }),
  },
  '/feedback/my-feedback': {
    GET: endpoint({
      summary: 'Lists your own feedback, newest first',
      access: 'user',
      input: PageQuery,
      response: pageOf('feedback', Feedback),
      handle: async ({ db, actor, input }) => {
        const { rows, nextCursor } = await listBoard(db, actor, { ...input, sort: 'own' });
        return { feedback: rows.map((row) => feedbackShape(row, actor)), nextCursor };
      },
    }),
  },
  '/feedback/:id': {
    GET: endpoint({
      summary: 'Returns one piece of feedback from the board',
      access: 'user',
      response: OneFeedback,
      handle: async ({ db, actor, params }) => ({
        feedback: feedbackShape(await findFeedback(db, actor, params.id!), actor),
      }),
    }),
  },
  '/feedback/:id/upvote': {
    POST: endpoint({
      summary: 'Votes for feedback, or takes the vote back',
      access: 'user',
      isIdempotent: true,
      response: OneFeedback,
      handle: async ({ db, actor, params }) => ({
        feedback: feedbackShape(await vote(db, actor, { feedbackId: params.id! }), actor),
      }),
    }),
  },
  '/feedback/admin/all': {
    GET: endpoint({
      summary: 'Lists all feedback with its authors',
      access: 'admin',
      input: PageQuery.extend(AllFeedbackQuery.shape),
      response: pageOf('feedback', AdminFeedback),
      handle: async ({ db, input }) => {
        const { rows, nextCursor } = await listFeedback(db, input);
        return { feedback: rows.map(adminFeedbackShape), nextCursor };
      },
    }),
  },
  '/feedback/admin/:id/status': {
    PUT: endpoint({
      summary: 'Sets the status of feedback',
      access: 'admin',
      input: FeedbackStatusInput,
      example: { status: 'planned' },
      requiresRecentAuth: true,
      response: z.object({ feedback: AdminFeedback }),
      handle: async ({ db, actor, params, input }) => ({
        feedback: adminFeedbackShape(
          await setFeedbackStatus(db, actor, { ...input, feedbackId: params.id! }),
        ),
      }),
    }),
  },
};
