import { z } from 'zod';
import { count, email, id, instant, name, pageOf, type Says } from '#app/http/api-says.ts';

const Ticket = z
  .object({
    _id: id,
    number: z.int().min(1),
    name,
    email,
    category: z.string(),
    subject: z.string(),
    message: z.string(),
    status: z.enum(['open', 'in_progress', 'resolved', 'closed']),
    createdAt: instant,
    updatedAt: instant,
    answeredAt: instant.nullable(),
  })
  .meta({ id: 'Ticket' });
const Reply = z.object({
  _id: id,
  author: z.enum(['support', 'user']),
  message: z.string(),
  createdAt: instant,
});
const Thread = Ticket.extend({ replies: z.array(Reply) }).meta({ id: 'TicketThread' });
const DeskTicket = Ticket.extend({ userId: id.nullable() }).meta({ id: 'AdminTicket' });

const feedback = {
  _id: id,
  type: z.string(),
  title: z.string(),
  description: z.string(),
  rating: z.int().min(1).nullable(),
  upvotes: count,
  status: z.string(),
  createdAt: instant,
};
const Feedback = z
  .object({
    ...feedback,
    userId: z
      .object({ name, email })
      .nullable()
      .meta({ description: 'Of others nobody is told who wrote it' }),
    upvoted: z.boolean(),
  })
  .meta({ id: 'Feedback' });
const AdminFeedback = z
  .object({ ...feedback, userId: z.object({ _id: id, name, email }) })
  .meta({ id: 'AdminFeedback' });

export const SAYS = {
  submitTicket: {
    does: 'Asks for support, with a token or without',
    answers: z.object({ ticket: Ticket }),
    status: 201,
    sends: {
      name: 'Ada Marlow',
      email: 'ada@example.com',
      category: 'billing',
      subject: 'My invoice',
      message: 'Where do I find it?',
    },
  },
  tickets: { does: 'Lists the own requests, newest first', answers: pageOf('tickets', Ticket) },
  ticket: { does: 'Reads an own request with its answers', answers: z.object({ ticket: Thread }) },
  allTickets: { does: 'Lists everybody’s requests', answers: pageOf('tickets', DeskTicket) },
  ticketStatus: {
    does: 'Says what becomes of a request',
    answers: z.object({ ticket: DeskTicket }),
    sends: { status: 'resolved' },
  },
  submitFeedback: {
    does: 'Puts feedback on the board',
    answers: z.object({ feedback: Feedback }),
    status: 201,
    sends: { type: 'improvement', title: 'A mail each week', description: 'One is enough.', rating: 5 },
  },
  myFeedback: { does: 'Lists the own feedback, newest first', answers: pageOf('feedback', Feedback) },
  feedback: { does: 'Reads one of the board', answers: z.object({ feedback: Feedback }) },
  upvote: { does: 'Votes for it, or takes the vote back', answers: z.object({ feedback: Feedback }) },
  allFeedback: { does: 'Lists all feedback with who gave it', answers: pageOf('feedback', AdminFeedback) },
  feedbackStatus: {
    does: 'Says what becomes of feedback',
    answers: z.object({ feedback: AdminFeedback }),
    sends: { status: 'planned' },
  },
} satisfies Record<string, Says>;
