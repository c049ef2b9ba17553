import { isSecret } from './restored-text.ts';

/** What people write, however short; anything else with a space in it counts, too. */
const WRITTEN =
  /^(?:name|email|content|description|keywords|hashtags|imageUrl|altText|transactionId|reason|subject|message|title|headline|instruction|facts)$/;
const SHORT = 80;

type Field = [name: string, value: string];
/** After a fault it is not known how far the form came. */
type Why = 'signed out' | 'fault' | 'refused';

const WHAT_NOW: Record<Why, string> = {
  'signed out': 'Nothing was changed. Once you are signed in again, send it from here.',
  fault: 'We cannot say whether it was saved: look before you send it again.',
  refused: 'Nothing was changed. Copy it, or change it here.',
};

const isVisible = ([name, value]: Field) =>
  value !== '' && (WRITTEN.test(name) || (/\s/.test(value) && !value.startsWith('/')));

/** `imageUrl` as "Image URL". */
function labelOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const spelt = words.replace(/\b(?:url|id)\b/g, (word) => word.toUpperCase());
  return spelt.charAt(0).toUpperCase() + spelt.slice(1);
}

type TypedFormProps = {
  /** Where the form was sent. */
  action: string;
  fields: Field[];
  why: Why;
  /** The same may be taken another time. */
  canSend: boolean;
};

/** What was typed into a form of which nothing came, to send it again or to copy it. Needs no scripts. */
export function RecoveredForm({ action, fields, why, canSend }: TypedFormProps) {
  const known = fields.filter(([name]) => !isSecret(name));
  const hasSecrets = known.length < fields.length;
  const shown = known.filter(isVisible);
  const isSignedOut = why === 'signed out';
  const isApp = action.startsWith('/app');
  return (
    <form method="post" action={action} className="form mt-8">
      {shown.length > 0 && <Heading why={why} hasSecrets={hasSecrets} />}
      {[...known.entries()].map(([at, field]) =>
        shown.includes(field) ? (
          <RecoveredField key={at} id={`typed-${at}`} field={field} />
        ) : (
          <input key={at} type="hidden" name={field[0]} value={field[1]} />
        ),
      )}
      <div className="flex flex-wrap gap-3">
        {isSignedOut && (
          <a href="/login" target="_blank" rel="noopener" className="btn btn-primary">
            Sign in <span className="sr-only">(opens a new tab)</span>
          </a>
        )}
        {canSend && (
          <button type="submit" className={isSignedOut ? 'btn btn-secondary' : 'btn btn-primary'}>
            {hasSecrets ? 'Back to the form' : 'Try again'}
          </button>
        )}
        {!isSignedOut && (
          <a href={isApp ? '/app/dashboard' : '/'} className="btn btn-secondary">
            {isApp ? 'Go to the dashboard' : 'Go to the start page'}
          </a>
        )}
      </div>
    </form>
  );
}

const Heading = ({ why, hasSecrets }: { why: Why; hasSecrets: boolean }) => (
  <div>
    <h2 className="font-display text-xl font-semibold">What you typed</h2>
    <p className="mt-1 text-ink-2">
      {WHAT_NOW[why]}
      {hasSecrets && ' Passwords and codes are not shown again.'}
    </p>
  </div>
);

function RecoveredField({ id, field: [name, value] }: { id: string; field: Field }) {
  const isLine = value.length <= SHORT && !value.includes('\n');
  const control = { id, name, defaultValue: value, className: 'input' };
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {labelOf(name)}
      </label>
      {isLine ? <input {...control} /> : <textarea {...control} rows={6} />}
    </div>
  );
}
