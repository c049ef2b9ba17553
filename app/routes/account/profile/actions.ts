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
import { setLandingConsent } from '#app/domain/posts/landing/top-posts.ts';
import { changeTimeZone } from '#app/domain/publishing/slots/apply-settings.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { redirectToCard } from '#app/http/forms/redirect-back.ts';
import { press, submit } from '#app/http/forms/submit.ts';
import { limit, limitAccount, resetAfterSignIn } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { actorOf, signedInOf } from '#app/http/session/session.ts';
import { formAt, PROFILE } from './paths.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

function saved({ request, context }: Args, message: string, card: string): Response {
  setFlash(context, 'success', message);
  return redirectToCard(request, PROFILE, card);
}

const saveName = (args: Args) =>
  submit(args, NameInput, async ({ name }) => {
    await setName(db(), actorOf(args.context).userId, name);
    return saved(args, 'Your name is saved', 'name');
  });

const saveZone = (args: Args) =>
  submit(args, TimeZoneInput, async ({ timeZone }) => {
    await changeTimeZone(db(), actorOf(args.context), timeZone);
    return saved(args, 'Your time zone is saved', 'zone');
  });

const SECRET = { secret: ['password', 'newPassword', 'confirmPassword'] };

const requestEmail = (args: Args) => {
  const handle = async (input: NewEmailInput) => {
    const signedIn = signedInOf(args.context);
    await limitAccount('address', signedIn.userId);
    await inConstantTime(() => startEmailChange(db(), signedIn, input));
    return saved(args, 'Almost there: enter the code from the mail to your new address', 'email');
  };
  return submit(args, NewEmailInput, handle, SECRET);
};

const confirmEmail = (args: Args) =>
  submit(args, OtpForm, async ({ otp }) => {
    const { request, context } = args;
    await limit(request, 'code', actorOf(context).userId, { isKnown: true });
    const { email } = await confirmEmailChange(db(), signedInOf(context), otp);
    await resetAfterSignIn(request, email);
    return saved(
      args,
      'Your email is changed. You are signed out everywhere else, and your API tokens are revoked',
      'email',
    );
  });

const resendCode = (args: Args) =>
  press(
    args,
    `${PROFILE}#email`,
    async () => {
      await inConstantTime(() => resendEmailChange(db(), signedInOf(args.context)));
      return saved(args, 'A new code was mailed', 'email');
    },
    'email',
  );

const cancelEmail = (args: Args) =>
  press(args, `${PROFILE}#email`, async () => {
    await deleteEmailChange(db(), actorOf(args.context).userId);
    return saved(args, 'Your email stays as it is', 'email');
  });

const savePassword = (args: Args) => {
  const handle = async (input: NewPasswordForm) => {
    await changePassword(db(), signedInOf(args.context), input);
    return saved(
      args,
      'Your password is saved. You are signed out everywhere else, and your API tokens are revoked',
      'password',
    );
  };
  return submit(args, NewPasswordForm, handle, SECRET);
};

const saveShowsPosts = (args: Args) =>
  press(
    args,
    `${PROFILE}#start-page`,
    async () => {
      const isOn = formDataOf(args.context).get('showsPosts') === 'true';
      await setLandingConsent(db(), actorOf(args.context).userId, isOn, databaseNow());
      const message = isOn ? 'Your newest post may be shown' : 'Nothing of yours is shown any more';
      return saved(args, message, 'start-page');
    },
    'start-page',
  );

const mailProof = (form: 'email' | 'password') => (args: Args) =>
  press(
    args,
    formAt(form, form),
    async () => {
      await sendReauthCode(db(), actorOf(args.context));
      setFlash(args.context, 'success', 'A code was mailed to you');
      return redirectToCard(args.request, `${PROFILE}?form=${form}`, form);
    },
    form,
  );

/** The forms and buttons of the page, by the value of `?form=`. */
export const FORMS = {
  name: saveName,
  zone: saveZone,
  email: requestEmail,
  code: confirmEmail,
  again: resendCode,
  keep: cancelEmail,
  show: saveShowsPosts,
  password: savePassword,
  'prove-email': mailProof('email'),
  'prove-password': mailProof('password'),
};
export type ProfileForm = keyof typeof FORMS;
