import { DEMO_MEMBERS } from './state.ts';

/** Returns the member of a chooser form, or an error message. A typed e-mail address wins over the selected member. */
export function chosenMember(form: URLSearchParams): { email: string; name: string } | string {
  const email = (form.get('email') ?? '').trim();
  const name = (form.get('name') ?? '').trim();
  if (email !== '') {
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return 'Type a complete e-mail address.';
    return { email, name: name || (email.split('@')[0] ?? email) };
  }
  if (name !== '' || form.get('member') === 'other') return 'Type the e-mail address too.';
  const demo = DEMO_MEMBERS.find((each) => each.email === form.get('member')) ?? DEMO_MEMBERS[0]!;
  return { email: demo.email, name: demo.name };
}
