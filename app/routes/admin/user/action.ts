import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { DisableInput, NothingInput } from '#app/domain/accounts/schema.ts';
import { endSessionsFor } from '#app/domain/accounts/sign-in/session-list.ts';
import { disableAccount, enableAccount } from '#app/domain/operations/disable-account.ts';
import { getPerson } from '#app/domain/operations/users.ts';
import { ExtendInput } from '#app/domain/payments/schema.ts';
import { extendPlan } from '#app/domain/payments/subscription/extend.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { type PersonDialog, personAddress } from '#app/routes/admin/users/paths.ts';
import type { Route } from './+types/page.ts';

type Args = Pick<Route.ActionArgs, 'request' | 'context'> & { admin: Actor };

function done({ context }: Args, userId: string, said: string) {
  notify(context, 'success', said);
  return redirect(personAddress(userId));
}

const endSessions = (args: Args, userId: string) =>
  submit(args, NothingInput, async () => {
    await getPerson(db(), userId);
    await endSessionsFor(db(), args.admin, userId);
    return done(args, userId, 'All sessions and tokens were ended');
  });

const disable = (args: Args, userId: string) =>
  submit(args, DisableInput, async ({ reason }) => {
    await disableAccount(db(), args.admin, { userId, reason });
    return done(args, userId, 'Account disabled');
  });

const enable = (args: Args, userId: string) =>
  submit(args, NothingInput, async () => {
    await enableAccount(db(), args.admin, userId);
    return done(args, userId, 'Account enabled');
  });

const extend = (args: Args, userId: string) =>
  submit(args, ExtendInput, async (input) => {
    await extendPlan(db(), args.admin, { ...input, userId });
    return done(args, userId, 'Plan extended');
  });

/** What the form of each dialog does. */
const CHANGES: Record<PersonDialog, typeof disable> = {
  'end-sessions': endSessions,
  disable,
  enable,
  extend,
};

/** What the form of the opened dialog does; the page follows, which says that it is done. */
export const changePerson = (args: Args, userId: string) =>
  verbOf(CHANGES, new URL(args.request.url).searchParams.get('dialog') ?? '')(args, userId);
