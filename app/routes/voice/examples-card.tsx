import { Plus, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { EXAMPLES_MAX } from '#app/domain/voice/limits.ts';
import { voiceAddress } from '#app/routes/actions.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { PostText } from '#app/ui/post/post-card.tsx';
import { spellNumber, spellNumberFirst } from '#app/ui/text.ts';
import { VOICE } from './tabs.tsx';

type Text = { id: string; content: string };
const aboutText = ({ content }: Text) => `“${content.slice(0, 40).trim()}”`;

const paste = (
  <ButtonLink to="?dialog=example" preventScrollReset size="sm" variant="secondary">
    <Plus aria-hidden size={16} />
    Paste a post
  </ButtonLink>
);

export function ExamplesCard({ examples, offered }: { examples: Text[]; offered: Text[] }) {
  const isFull = examples.length >= EXAMPLES_MAX;
  return (
    <Card
      id="examples"
      title="Examples"
      description={`Posts you wrote yourself, up to ${spellNumber(EXAMPLES_MAX)}. The writer listens to how they sound, and takes nothing from them.`}
      actions={!isFull && paste}
    >
      {examples.length === 0 && offered.length === 0 && (
        <p className="text-sm text-ink-3">
          None yet. A post that you really rewrite can be chosen here, too.
        </p>
      )}
      <ul className="grid gap-4">
        {examples.map((example) => (
          <Example key={example.id} example={example} />
        ))}
      </ul>
      {isFull && (
        <p className="mt-4 text-sm text-ink-3">
          {spellNumberFirst(EXAMPLES_MAX)} are enough to hear a voice. Remove one to give another.
        </p>
      )}
      {!isFull && offered.length > 0 && <Offered posts={offered} />}
    </Card>
  );
}

const Example = ({ example }: { example: Text }) => (
  <li className="voice-example" dir="auto">
    <PostText text={example.content} />
    <Link
      to={`?confirm-remove=${example.id}`}
      preventScrollReset
      className="btn btn-sm -ms-3 text-danger-ink hover:bg-danger-soft"
    >
      <Trash2 aria-hidden size={16} />
      Remove
      <span className="sr-only"> {aboutText(example)}</span>
    </Link>
  </li>
);

const Offered = ({ posts }: { posts: Text[] }) => (
  <div className="mt-5 border-t border-line pt-4">
    <h3 className="text-sm font-semibold">Posts you rewrote</h3>
    <ul className="mt-2 grid gap-3">
      {posts.map((post) => (
        <li key={post.id}>
          <p className="line-clamp-3 text-sm break-words text-ink-2" dir="auto">
            {post.content}
          </p>
          <ActionForm
            action={voiceAddress(post.id, 'choose')}
            failure="Failed to save the example"
            preventScrollReset
          >
            <SubmitButton size="sm" variant="ghost" className="-ms-3" busyLabel="Saving…">
              <Plus aria-hidden size={16} />
              Use as an example
              <span className="sr-only"> {aboutText(post)}</span>
            </SubmitButton>
          </ActionForm>
        </li>
      ))}
    </ul>
  </div>
);

export const RemoveDialog = ({ example }: { example: Text }) => (
  <ConfirmDialog
    failure="Failed to remove the example"
    title="Remove this example?"
    body={
      <>
        <p className="voice-quote" dir="auto">
          {example.content}
        </p>
        <p className="mt-3">Posts already written stay as they are.</p>
      </>
    }
    closeTo={VOICE}
    confirmLabel="Remove example"
    action={voiceAddress(example.id, 'remove')}
  />
);
