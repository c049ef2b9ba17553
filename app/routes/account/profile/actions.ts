import type { RouterContextProvider } from 'react-router';
import { db } from '#app/db/client.ts';
import {
  confirmEmailChange,
  deleteEmailChange,
  resendEmailChange,
  startEmailChange,
} from '#app/domain/accounts/lifecycle/change-email.ts';
import { changePassword } from '#app/domain/accounts/password/change.ts';
import { sendReauthCode } from '#app/domain/accounts/reauthenticate.ts';
import {
  NameInput,
  NewEmailInput,
  NewPasswordForm,
  OtpForm,
  TimeZoneInput,
} from '#app/domain/accounts/schema.ts';
import { setName } from '#app/domain/accounts/users.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { letShow } from '#app/domain/posts/landing/top-posts.ts';
import { changeTimeZone } from '#app/domain/queue/slots/reschedule.ts';
import { notify } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { backTo } from '#app/http/forms/redirect-back.ts';
import { press, submit } from '#app/http/forms/submit.ts';
import { limit, limitAccount, welcome } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { actorOf, signedInOf } from '#app/http/session/session.ts';
import { formAt, PROFILE } from './paths.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

function done({ request, context }: Args, said: string, card: string): Response {
  notify(context, 'success', said);
  return backTo(request, PROFILE, card);
}

const saveName = (args: Args) =>
  submit(args, NameInput, async ({ name }) => {
    await setName(db(), actorOf(args.context).userId, name);
    return done(args, 'Your name is saved', 'name');
  });

const saveZone = (args: Args) =>
  submit(args, TimeZoneInput, async ({ timeZone }) => {
    await changeTimeZone(db(), actorOf(args.context), timeZone);
    return done(args, 'Your time zone is saved', 'zone');
  });

const SECRET = { secret: ['password', 'newPassword', 'confirmPassword'] };

const requestEmail = (args: Args) => {
  const answer = async (input: NewEmailInput) => {
    const signedIn = signedInOf(args.context);
    await limitAccount('address', signedIn.userId);
    await inConstantTime(() => startEmailChange(db(), signedIn, input));
    return done(args, 'Almost there: enter the code from the mail to your new address', 'email');
  };
  return submit(args, NewEmailInput, answer, SECRET);
};

const confirmEmail = (args: Args) =>
  submit(args, OtpForm, async ({ otp }) => {
    const { request, context } = args;
    await limit(request, 'code', actorOf(context).userId, { isKnown: true });
    const { email } = await confirmEmailChange(db(), signedInOf(context), otp);
    await welcome(request, email);
    return done(
      args,
      'Your email is changed. You are signed out everywhere else, and your API tokens are revoked',
      'email',
    );
  });

const resendSignUpCode = (args: Args) =>
  press(
    args,
    `${PROFILE}#email`,
    async () => {
      await inConstantTime(() => resendEmailChange(db(), signedInOf(args.context)));
      return done(args, 'A new code was mailed', 'email');
    },
    'email',
  );

const cancelEmail = (args: Args) =>
  press(args, `${PROFILE}#email`, async () => {
    await deleteEmailChange(db(), actorOf(args.context).userId);
    return done(args, 'Your email stays as it is', 'email');
  });

const savePassword = (args: Args) => {
  const answer = async (input: NewPasswordForm) => {
    await changePassword(db(), signedInOf(args.context), input);
    return done(
      args,
      'Your password is saved. You are signed out everywhere else, and your API tokens are revoked',
      'password',
    );
  };
  return submit(args, NewPasswordForm, answer, SECRET);
};

const letPostsShow = (args: Args) => {
  const toProfile = `${PROFILE}#start-page`;
  return press(
    args,
    toProfile,
    async () => {
      const isWanted = formDataOf(args.context).get('showsPosts') === 'true';
      await letShow(db(), actorOf(args.context).userId, isWanted, databaseNow());
      const said = isWanted ? 'Your newest post may be shown' : 'Nothing of yours is shown any more';
      return done(args, said, 'start-page');
    },
    'start-page',
  );
};

/** Mails a code to who has no password, and goes back to the form that asks for it. */
const mailProof = (form: 'email' | 'password') => (args: Args) =>
  press(
    args,
    formAt(form, form),
    async () => {
      await sendReauthCode(db(), actorOf(args.context));
      notify(args.context, 'success', 'A code was mailed to you');
      return backTo(args.request, `${PROFILE}?form=${form}`, form);
    },
    form,
  );

/** The forms and buttons of the page, by what `?form=` calls them. */
export const FORMS = {
  name: saveName,
  zone: saveZone,
  email: requestEmail,
  code: confirmEmail,
  again: resendSignUpCode,
  keep: cancelEmail,
  show: letPostsShow,
  password: savePassword,
  'prove-email': mailProof('email'),
  'prove-password': mailProof('password'),
};
export type ProfileForm = keyof typeof FORMS;
