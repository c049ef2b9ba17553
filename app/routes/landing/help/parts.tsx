import { Plus } from 'lucide-react';
import { Button } from '#app/ui/form/button.tsx';
import type { AnswerGroup } from './questions.ts';

/** Asks for the same page with the answers that fit. */
export const HelpSearch = ({ asked }: { asked: string }) => (
  <search>
    <form method="get" action="/help" className="help-search">
      <label htmlFor="q" className="sr-only">
        Search the answers
      </label>
      <input
        id="q"
        type="search"
        name="q"
        defaultValue={asked}
        placeholder="Search the answers"
        className="input"
        dir="auto"
      />
      <Button type="submit" variant="secondary">
        Search
      </Button>
    </form>
  </search>
);

type HelpAnswersProps = { asked: string; groups: AnswerGroup[] };

const Group = ({ title, answers, isOpen }: AnswerGroup & { isOpen: boolean }) => (
  <section>
    {title && <h2>{title}</h2>}
    {answers.map(({ question, answer, to, label }) => (
      <details key={question} open={isOpen}>
        <summary>
          {question}
          <Plus aria-hidden size={20} />
        </summary>
        <div>
          <p>{answer}</p>
          <a href={to} className="help-more">
            {label}
          </a>
        </div>
      </details>
    ))}
  </section>
);

const counted = (count: number) => (count === 1 ? '1 answer' : `${count} answers`);

/** All answers by their subjects, or those that were searched for, open when they are few. */
export function HelpAnswers({ asked, groups }: HelpAnswersProps) {
  const count = groups.reduce((sum, { answers }) => sum + answers.length, 0);
  const isSearch = asked.trim() !== '';
  return (
    <div className="help-answers">
      {isSearch && (
        <p role="status">
          {count === 0 ? `No answer has “${asked}”. Write to us.` : `${counted(count)} for “${asked}”.`}{' '}
          <a href="/help" className="help-more">
            Show all
          </a>
        </p>
      )}
      {groups.map((group) => (
        <Group key={group.title} {...group} isOpen={isSearch && count < 4} />
      ))}
    </div>
  );
}
