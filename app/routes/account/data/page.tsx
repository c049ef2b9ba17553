import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import { redirect, useSearchParams } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { findDeletion } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import { findReauthMethod, reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import { ReauthInput } from '#app/domain/accounts/schema.ts';
import { isRecentlyAuthenticated } from '#app/domain/accounts/sign-in/sessions.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { Dialog, DialogButtons } from '#app/ui/components/dialog.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Route } from './+types/page.ts';

const DATA = '/app/account/data';

export const meta: Route.MetaFunction = () =>
  pageMeta('Your data', 'Download all that Tidepost has of you, or delete your account.');

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext)!;
  const { actor } = viewer;
  const [deletion, proof] = await Promise.all([
    findDeletion(db(), actor.userId),
    findReauthMethod(db(), actor),
  ]);
  const deletesAt = deletion ? formatInstant(deletion.eraseAt, actor.timeZone) : null;
  const isErasing = Boolean(deletion?.erasingAt);
  return {
    deletesAt,
    isErasing,
    proof,
    isAdmin: actor.isAdmin,
    hasProved: isRecentlyAuthenticated(viewer, viewer.requestedAt),
  };
}

export const action = ({ context }: Route.ActionArgs) => {
  const scheduleDeletion = async (proof: ReauthInput) => {
    const { actor, sessionId } = context.get(viewerContext)!;
    await reauthenticate(db(), actor, proof);
    const { eraseAt } = await requestDeletion(db(), actor, sessionId);
    const at = formatInstant(eraseAt, actor.timeZone);
    setFlash(context, 'success', `Your account will be deleted on ${at}. Until then you can keep it.`);
    return redirect(DATA);
  };
  return submit({ context }, ReauthInput, scheduleDeletion, { secret: ['password', 'otp'] });
};

export default function YourData({ loaderData, actionData }: Route.ComponentProps) {
  const { deletesAt, isErasing, proof, isAdmin, hasProved } = loaderData;
  const isDialogOpen = useSearchParams()[0].get('dialog') === 'delete';
  return (
    <AccountPage current="data" description="What we keep of you: to take with you, or to have deleted.">
      {deletesAt && <PendingDeletionCard at={deletesAt} isErasing={isErasing} />}
      <Downloads isAdmin={isAdmin} hasProved={hasProved} />
      {!deletesAt && <DeleteCard isAdmin={isAdmin} />}
      {isDialogOpen && !deletesAt && <DeleteDialog result={actionData} proof={proof} />}
    </AccountPage>
  );
}

/** Without a recent confirmation the form leads to the page that asks for one. */
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
    <DeletionDetails isAdmin={isAdmin} />
    <div className="mt-5">
      <ButtonLink to="?dialog=delete" preventScrollReset variant="danger">
        Delete account
      </ButtonLink>
    </div>
  </Card>
);

type DeleteDialogProps = { result: SubmissionResult<string[]> | undefined; proof: 'password' | 'code' };

function DeleteDialog({ result, proof }: DeleteDialogProps) {
  const [form, fields] = useFormOf<ReauthInput>(result, { id: 'delete-account' });
  return (
    <Dialog title="Delete your account?" closeTo={DATA} tone="danger">
      <p className="mt-3 mb-5 text-ink-2 text-pretty">
        Nothing is written or published from now on, you are signed out everywhere else, and your API tokens
        are revoked. We mail you a link with which you can keep the account for {DELETION_DAYS} days. Then
        everything in it is deleted, and cannot be brought back.
      </p>
      {proof === 'code' && (
        <ActionForm
          action="/app/account/data/code"
          failure="Failed to mail a code"
          className="mb-5 flex flex-wrap items-center gap-3"
        >
          <p className="text-ink-2">You have no password, so we mail you a code.</p>
          <SubmitButton variant="secondary" size="sm" busyLabel="Mailing…">
            Mail me a code
          </SubmitButton>
        </ActionForm>
      )}
      <FormPanel form={form} failure="Failed to delete the account" warnsOnLeave={false}>
        {proof === 'password' ? (
          <PasswordField field={fields.password} label="Your password" required />
        ) : (
          <TextField
            field={fields.otp}
            label="Code from the mail"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        )}
        <DialogButtons closeTo={DATA} cancelLabel="Keep my account" isDanger busyLabel="Deleting…">
          Delete account
        </DialogButtons>
      </FormPanel>
    </Dialog>
  );
}

const PendingDeletionCard = ({ at, isErasing }: { at: string; isErasing: boolean }) => (
  <Card
    id="leaving"
    title={isErasing ? 'Your account is being deleted' : `Your account will be deleted on ${at}`}
  >
    <p className="text-pretty text-ink-2">
      {isErasing
        ? 'That cannot be undone any more. We mail you when it is done.'
        : 'Until then nothing is written or published, and everything keeps its place. If you keep the account, writing and publishing go on. Programs then need new API tokens.'}
    </p>
    <CardErrors id="leaving" />
    {!isErasing && (
      <ActionForm action="/app/account/data/keep" failure="Failed to keep the account" className="mt-5">
        <SubmitButton busyLabel="Keeping…">Keep my account</SubmitButton>
      </ActionForm>
    )}
  </Card>
);

const DeletionDetails = ({ isAdmin }: { isAdmin: boolean }) => (
  <div className="grid gap-4 text-pretty text-ink-2">
    <p>
      It will be deleted in {DELETION_DAYS} days. Writing and publishing stop at once, you are signed out
      everywhere else, and your API tokens are revoked. We mail you a link with which you can keep the account
      until then.
    </p>
    <TitledList title="What goes">
      <li>Your posts here, with every version and attempt, your topics, facts, voice and settings.</li>
      <li>What you asked our support, your feedback, and your votes for the feedback of others.</li>
      <li>Your connection to LinkedIn: we ask LinkedIn to end our permission, too.</li>
      <li>Your name, your address, your sign-ins and tokens, and the list of mails we sent you.</li>
    </TitledList>
    <TitledList title="What stays">
      <li>Posts that are on LinkedIn. You can delete them there, or in Post History before.</li>
      <li>
        Of payments the amount, the dates, the transaction ID and a fingerprint of the screenshot, without
        your name and address, because bookkeeping law asks for them.
      </li>
      {isAdmin && <li>What you did as an administrator, under a number in place of your name.</li>}
    </TitledList>
  </div>
);

const TitledList = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h3 className="font-semibold text-ink">{title}</h3>
    <ul className="mt-1 grid list-disc gap-1 ps-5">{children}</ul>
  </div>
);
