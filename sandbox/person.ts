import { DEMO_MEMBERS } from './state.ts';

/** The person a chooser form names: a typed e-mail wins over the chosen one. A string is what is wrong. */
export function chosenPerson(form: URLSearchParams): { email: string; name: string } | string {
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
