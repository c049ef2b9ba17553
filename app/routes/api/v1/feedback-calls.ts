import { findFeedback, listBoard } from '#app/domain/feedback/board.ts';
import { listFeedback, setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { AllFeedbackQuery, FeedbackInput, FeedbackStatusInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit-feedback.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import { PageQuery } from '#app/domain/paging.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { SAYS } from './says-support.ts';
import { feedbackShape, managedFeedbackShape } from './shapes.ts';

const handler = apiRoutes({
  '/feedback/submit': {
    POST: endpoint(
      'user',
      FeedbackInput,
      SAYS.submitFeedback,
      async ({ db, actor, input }) => ({
        feedback: feedbackShape(await submitFeedback(db, actor, input, 'program'), actor),
      }),
      { isOnce: true },
    ),
  },
  '/feedback/my-feedback': {
    GET: endpoint('user', PageQuery, SAYS.myFeedback, async ({ db, actor, input }) => {
      const { rows, nextCursor } = await listBoard(db, actor, { ...input, sort: 'own' });
      return { feedback: rows.map((row) => feedbackShape(row, actor)), nextCursor };
    }),
  },
  '/feedback/:id': {
    GET: endpoint('user', null, SAYS.feedback, async ({ db, actor, params }) => ({
      feedback: feedbackShape(await findFeedback(db, actor, params.id!), actor),
    })),
  },
  '/feedback/:id/upvote': {
    POST: endpoint(
      'user',
      null,
      SAYS.upvote,
      async ({ db, actor, params }) => ({
        feedback: feedbackShape(await vote(db, actor, { feedbackId: params.id! }), actor),
      }),
      { isOnce: true },
    ),
  },
  '/feedback/admin/all': {
    GET: endpoint(
      'admin',
      PageQuery.extend(AllFeedbackQuery.shape),
      SAYS.allFeedback,
      async ({ db, input }) => {
        const { rows, nextCursor } = await listFeedback(db, input);
        return { feedback: rows.map(managedFeedbackShape), nextCursor };
      },
    ),
  },
  '/feedback/admin/:id/status': {
    PUT: endpoint(
      'admin',
      FeedbackStatusInput,
      SAYS.feedbackStatus,
      async ({ db, actor, params, input }) => ({
        feedback: managedFeedbackShape(
          await setFeedbackStatus(db, actor, { ...input, feedbackId: params.id! }),
        ),
      }),
      { isConfirmed: true },
    ),
  },
});

export const loader = handler;
export const action = handler;
