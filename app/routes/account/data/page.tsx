import { redirect, useSearchParams } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { askToLeave } from '#app/domain/account-deletion/request.ts';
import { findDeletion } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { findProofKind, proveOwner } from '#app/domain/accounts/reauthenticate.ts';
import { ProofInput } from '#app/domain/accounts/schema.ts';
import { isProved } from '#app/domain/accounts/sign-in/sessions.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Route } from './+types/page.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { LeavingCard } from './leaving-card.tsx';
import { WhatGoes } from './what-goes.tsx';

const DATA = '/app/account/data';

export const meta: Route.MetaFunction = () => [
  { title: 'Your data – Tidepost' },
  { name: 'description', content: 'Download all that Tidepost has of you, or delete your account.' },
];

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext)!;
  const { actor } = viewer;
  const [deletion, proof] = await Promise.all([findDeletion(db(), actor.userId), findProofKind(db(), actor)]);
  const leavesAt = deletion ? formatInstant(deletion.eraseAt, actor.timeZone) : null;
  const isErasing = Boolean(deletion?.erasingAt);
  return { leavesAt, isErasing, proof, isAdmin: actor.isAdmin, hasProved: isProved(viewer, viewer.cameAt) };
}

export const action = ({ context }: Route.ActionArgs) => {
  const leave = async (proof: ProofInput) => {
    const { actor, sessionId } = context.get(viewerContext)!;
    await proveOwner(db(), actor, proof);
    const { eraseAt } = await askToLeave(db(), actor, sessionId);
    const at = formatInstant(eraseAt, actor.timeZone);
    notify(context, 'success', `Your account will be deleted on ${at}. Until then you can keep it.`);
    return redirect(DATA);
  };
  return submit({ context }, ProofInput, leave, { secret: ['password', 'otp'] });
};

export default function YourData({ loaderData, actionData }: Route.ComponentProps) {
  const { leavesAt, isErasing, proof, isAdmin, hasProved } = loaderData;
  const isAsking = useSearchParams()[0].get('dialog') === 'delete';
  return (
    <AccountPage current="data" description="What we keep of you: to take with you, or to have deleted.">
      {leavesAt && <LeavingCard at={leavesAt} isErasing={isErasing} />}
      <Downloads isAdmin={isAdmin} hasProved={hasProved} />
      {!leavesAt && <DeleteCard isAdmin={isAdmin} />}
      {isAsking && !leavesAt && <DeleteDialog result={actionData} proof={proof} closeTo={DATA} />}
    </AccountPage>
  );
}

/** Who proved a while ago to be the owner is asked again before the file is there. */
const DownloadAll = ({ hasProved }: { hasProved: boolean }) =>
  hasProved ? (
    <a href="/app/account/export.json" download className="btn btn-secondary btn-sm">
      Download everything
    </a>
  ) : (
    <ActionForm action="/app/account/data/export" failure="Failed to prepare your file">
      <SubmitButton variant="secondary" size="sm">
        Download everything
      </SubmitButton>
    </ActionForm>
  );

const Downloads = ({ isAdmin, hasProved }: { isAdmin: boolean; hasProved: boolean }) => (
  <>
    <Card
      id="export"
      title="Everything as one file"
      description="All that we keep of you, as JSON: your account, posts with every version and attempt, topics, facts, settings, payments, mails and sign-ins. Passwords and tokens are not in it."
      actions={<DownloadAll hasProved={hasProved} />}
    >
      <CardErrors id="export" />
    </Card>
    {!isAdmin && (
      <Card
        title="Posts as a table"
        description="All your posts and their numbers, as a CSV file. Deleted posts are left out."
        actions={
          <a href="/app/posts.csv" download className="btn btn-secondary btn-sm">
            Download posts
          </a>
        }
      />
    )}
  </>
);

const DeleteCard = ({ isAdmin }: { isAdmin: boolean }) => (
  <Card id="delete" title="Delete your account">
    <WhatGoes isAdmin={isAdmin} />
    <div className="mt-5">
      <ButtonLink to="?dialog=delete" preventScrollReset variant="danger">
        Delete account
      </ButtonLink>
    </div>
  </Card>
);
