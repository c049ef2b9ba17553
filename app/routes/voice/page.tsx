import type { SubmissionResult } from '@conform-to/react';
import { redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import { listRewritten } from '#app/domain/posts/memory/memory.ts';
import { EXAMPLE_MIN } from '#app/domain/voice/limits.ts';
import { ExampleInput, VoiceInput } from '#app/domain/voice/schema.ts';
import { addExample, findVoice, listExamples, saveVoice } from '#app/domain/voice/voice.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Card } from '#app/ui/components/card.tsx';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { FormPanel, SubmitButton, TextArea, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreSearch } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { ExamplesCard, RemoveDialog } from './examples-card.tsx';
import { VoiceForm } from './form.tsx';
import { VOICE, VOICE_PARENT, VoiceTabs } from './tabs.tsx';

const OFFERED_COUNT = 5;

export const meta: Route.MetaFunction = () =>
  pageMeta(
    'Your voice',
    'How you write, for whom, and what only you can say: what your posts are written from.',
  );

export const shouldRevalidate = ignoreSearch;

export async function loader({ context }: Route.LoaderArgs) {
  const { userId } = actorOf(context);
  const [{ interviewedAt: _, ...voice }, examples, rewritten] = await Promise.all([
    findVoice(db(), userId),
    listExamples(db(), userId),
    listRewritten(db(), userId, OFFERED_COUNT),
  ]);
  const chosen = new Set(examples.map(({ content }) => content));
  const offered = rewritten.filter(({ content }) => !chosen.has(content));
  return { ...VOICE_PARENT, voice, examples, offered };
}

export const action = ({ request, context }: Route.ActionArgs) =>
  new URL(request.url).searchParams.get('dialog') === 'example'
    ? submit({ context }, ExampleInput, async ({ content }) => {
        await addExample(db(), actorOf(context), content);
        setFlash(context, 'success', 'The writer listens to this example from now on');
        return redirect(`${VOICE}#examples`);
      })
    : submit({ context }, VoiceInput, async (input) => {
        await saveVoice(db(), actorOf(context), input);
        setFlash(context, 'success', 'Your voice is saved');
        return redirect(VOICE);
      });

export default function VoicePage({ loaderData, actionData }: Route.ComponentProps) {
  const { voice, examples, offered } = loaderData;
  const [query] = useSearchParams();
  const isPasting = query.get('dialog') === 'example';
  const removing = examples.find(({ id }) => id === query.get('confirm-remove'));
  return (
    <>
      <PageHeader
        title="Your voice"
        description="For whom you write, and how it sounds. Every post is written with it."
      />
      <VoiceTabs current={VOICE} />
      <div className="voice-columns grid items-start gap-6">
        <Card id="voice">
          <VoiceForm key={JSON.stringify(voice)} voice={voice} result={isPasting ? undefined : actionData} />
        </Card>
        <ExamplesCard examples={examples} offered={offered} />
      </div>
      {isPasting && <ExampleDialog result={actionData} />}
      {removing && <RemoveDialog example={removing} />}
    </>
  );
}

const CONSTRAINT = { content: { required: true, minLength: EXAMPLE_MIN, maxLength: POST_MAX } };

function ExampleDialog({ result }: { result?: SubmissionResult<string[]> | undefined }) {
  const [form, fields] = useFormOf<{ content: string }>(result, { id: 'example', constraint: CONSTRAINT });
  return (
    <Dialog title="Paste a post of yours" closeTo={VOICE}>
      <FormPanel form={form} failure="Failed to save the example" className="mt-4">
        <TextArea
          field={fields.content}
          label="Text"
          hint="A whole post that you wrote yourself and would write like that again."
          rows={8}
          dir="auto"
        />
        <SubmitButton busyLabel="Saving…">Keep as an example</SubmitButton>
      </FormPanel>
    </Dialog>
  );
}
