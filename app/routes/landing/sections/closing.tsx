import './closing.css';
import { Plus } from 'lucide-react';
import { POSTS_PER_DAY_MAX, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { StartLink } from '#app/routes/landing/header-footer.tsx';
import { TideLine } from '#app/ui/layout/tide-line.tsx';
import { spellNumberFirst } from '#app/ui/text.ts';

/** Also sent to search engines, in the same words. */
export const QUESTIONS = [
  {
    question: 'Does anything go out that I have not seen?',
    answer:
      'Posts are written at the hour you set and wait in your queue until their time. You can open the queue, edit or delete any of them, or pause everything. What you leave in the queue goes out by itself.',
  },
  {
    question: 'Will the posts sound like me?',
    answer:
      'They follow the topics, keywords and tone you give. The more exact your description, the closer they come, and you can change every sentence before it is published.',
  },
  {
    question: 'What is free?',
    answer: `${spellNumberFirst(FREE_POSTS_A_MONTH)} posts a month, on your own topics, without a card. A plan gives you 1 to ${POSTS_PER_DAY_MAX} posts a day.`,
  },
  {
    question: 'How do I pay?',
    answer: `By UPI QR code or link, or by PayPal, depending on your currency. You send us the transaction ID, and we verify the payment within ${VERIFIED_WITHIN_HOURS} hours. Nothing is charged automatically.`,
  },
  {
    question: 'Can I stop or pause?',
    answer:
      'Pause and resume as often as you like. Plans do not renew by themselves: when one ends, posting stops until you choose the next.',
  },
  {
    question: 'What may Tidepost do on LinkedIn?',
    answer:
      'Read your name, picture and e-mail address, and publish posts for you. You grant this on LinkedIn, and you can disconnect at any time.',
  },
];

export const Questions = () => (
  <section id="questions" className="band questions" aria-labelledby="questions-title">
    <h2 id="questions-title" className="section-title">
      Questions people ask first
    </h2>
    <div className="question-list">
      {QUESTIONS.map(({ question, answer }) => (
        <details key={question} name="faq">
          <summary>
            {question}
            <Plus aria-hidden size={20} />
          </summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  </section>
);

export const Closing = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <section className="closing" aria-labelledby="closing-title">
    <h2 id="closing-title" className="section-title px-4">
      The next tide is tomorrow morning
    </h2>
    <p className="mx-auto mt-4 max-w-md px-4 text-lg text-ink-2 text-pretty">
      Name a topic and a time today, and read your first post before it goes out.
    </p>
    <div className="mt-8 flex justify-center">
      <StartLink isSignedIn={isSignedIn} />
    </div>
    <TideLine />
  </section>
);
