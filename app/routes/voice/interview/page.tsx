import type { SubmissionResult } from '@conform-to/react';
import { Check } from 'lucide-react';
import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { answerQuestion, endInterview, listAnswers } from '#app/domain/voice/interview.ts';
import { FACT_MAX, INTERVIEW } from '#app/domain/voice/limits.ts';
import { AnswerInput } from '#app/domain/voice/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { FACTS, QUESTIONS, VOICE_PARENT, VoiceTabs } from '#app/routes/voice/tabs.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { FormPanel, SubmitButton, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import { Progress } from '#app/ui/messages/progress.tsx';
import { spellNumber } from '#app/ui/text.ts';
import type { Route } from './+types/page.ts';

const COUNT = INTERVIEW.length;

export const meta: Route.MetaFunction = () =>
  pageMeta('Questions', 'Questions whose answers become facts that your posts can name.');

/** The number of the question in the URL, from 1; undefined without a valid one. */
function questionOf(url: string): number | undefined {
  const question = Number(new URL(url).searchParams.get('question'));
  return Number.isInteger(question) && question >= 1 && question <= COUNT ? question : undefined;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const answers = await listAnswers(db(), actorOf(context));
  return { ...VOICE_PARENT, answers, question: questionOf(request.url) ?? (answers.indexOf(null) + 1 || 1) };
}

const answersText = (count: number) =>
  count === 0
    ? 'The questions stay here, should you have an answer later'
    : `${count === 1 ? 'One answer is a fact' : `${count} answers are facts`} now. Posts are built on them`;

/** Each answer is stored immediately, so that nothing is lost when the user leaves. */
export const action = ({ request, context }: Route.ActionArgs) =>
  submit({ context }, AnswerInput, async ({ content, skip }) => {
    const actor = actorOf(context);
    const question = questionOf(request.url) ?? 1;
    if (skip === undefined) await answerQuestion(db(), actor, { question, content });
    if (question < COUNT) return redirect(`${QUESTIONS}?question=${question + 1}`);
    await endInterview(db(), actor);
    const answers = await listAnswers(db(), actor);
    setFlash(context, 'success', answersText(answers.filter(Boolean).length));
    return redirect(FACTS);
  });

export default function Interview({ loaderData, actionData }: Route.ComponentProps) {
  const { answers, question } = loaderData;
  const answered = answers.filter((answer) => answer !== null).length;
  return (
    <>
      <PageHeader
        title="Questions"
        description="What you answer becomes a fact that posts can be built on. Each answer is kept at once, so you can leave and come back."
      />
      <VoiceTabs current={QUESTIONS} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card id="question">
          <Progress value={answered} max={COUNT} label={`${answered} of ${COUNT} answered`} />
          <Question key={question} question={question} answer={answers[question - 1]!} result={actionData} />
        </Card>
        <Overview answers={answers} question={question} />
      </div>
    </>
  );
}

type QuestionProps = {
  question: number;
  answer: string | null;
  result?: SubmissionResult<string[]> | undefined;
};

function Question({ question, answer, result }: QuestionProps) {
  const [form, fields] = useFormOf<{ content: string }>(result, {
    id: `question-${question}`,
    defaultValue: { content: answer ?? '' },
    constraint: { content: { required: true, maxLength: FACT_MAX } },
  });
  return (
    <FormPanel
      form={form}
      action={`${QUESTIONS}?question=${question}`}
      failure="Failed to save the answer"
      className="mt-5"
    >
      <TextArea
        field={fields.content}
        label={<span className="voice-question">{INTERVIEW[question - 1]!.ask}</span>}
        hint={`One or two sentences, up to ${FACT_MAX} characters. Plain and true is better than polished.`}
        rows={3}
        dir="auto"
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel="Saving…">
          {question < COUNT ? 'Save and go on' : 'Save and finish'}
        </SubmitButton>
        <SubmitButton name="skip" value="on" formNoValidate variant="ghost">
          {question < COUNT ? 'Skip this one' : 'Skip and finish'}
        </SubmitButton>
      </div>
    </FormPanel>
  );
}

const Overview = ({ answers, question }: { answers: (string | null)[]; question: number }) => (
  <Card title={`All ${spellNumber(COUNT)}`}>
    <ol className="voice-questions -mx-2 -mb-1 grid gap-1">
      {INTERVIEW.map(({ ask }, index) => (
        <li key={ask}>
          <Link
            to={`?question=${index + 1}`}
            aria-current={index + 1 === question ? 'step' : undefined}
            className="flex min-h-11 items-center gap-3 rounded-md px-2 py-1 text-sm hover:bg-hover"
          >
            <span className="shrink-0 text-ink-3 tabular-nums">{index + 1}</span>
            <span className="min-w-0 flex-1">{ask}</span>
            {answers[index] !== null && (
              <Check aria-label="Answered" size={18} className="shrink-0 text-success-ink" />
            )}
          </Link>
        </li>
      ))}
    </ol>
  </Card>
);
