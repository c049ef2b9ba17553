import { isSecret } from './restored-text.ts';

const TEXT_FIELDS =
  /^(?:name|email|content|description|keywords|hashtags|imageUrl|altText|transactionId|reason|subject|message|title|headline|instruction|facts)$/;
const LINE_MAX = 80;

type Field = [name: string, value: string];
/** After a fault, the form may or may not have been saved. */
type Reason = 'signed out' | 'fault' | 'refused';

const ADVICE: Record<Reason, string> = {
  'signed out': 'Nothing was changed. Once you are signed in again, send it from here.',
  fault: 'We cannot say whether it was saved: look before you send it again.',
  refused: 'Nothing was changed. Copy it, or change it here.',
};

const isVisible = ([name, value]: Field) =>
  value !== '' && (TEXT_FIELDS.test(name) || (/\s/.test(value) && !value.startsWith('/')));

/** `imageUrl` as "Image URL". */
function labelOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const label = words.replace(/\b(?:url|id)\b/g, (word) => word.toUpperCase());
  return label.charAt(0).toUpperCase() + label.slice(1);
}

type RecoveredFormProps = {
  action: string;
  fields: Field[];
  reason: Reason;
  canSend: boolean;
};

/** What was typed into a form that failed, to send it again or to copy it. Needs no scripts. */
export function RecoveredForm({ action, fields, reason, canSend }: RecoveredFormProps) {
  const restored = fields.filter(([name]) => !isSecret(name));
  const hasSecrets = restored.length < fields.length;
  const visible = restored.filter(isVisible);
  const isSignedOut = reason === 'signed out';
  const isApp = action.startsWith('/app');
  return (
    <form method="post" action={action} className="form mt-8">
      {visible.length > 0 && <Heading reason={reason} hasSecrets={hasSecrets} />}
      {[...restored.entries()].map(([index, field]) =>
        visible.includes(field) ? (
          <RecoveredField key={index} id={`typed-${index}`} field={field} />
        ) : (
          <input key={index} type="hidden" name={field[0]} value={field[1]} />
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

const Heading = ({ reason, hasSecrets }: { reason: Reason; hasSecrets: boolean }) => (
  <div>
    <h2 className="font-display text-xl font-semibold">What you typed</h2>
    <p className="mt-1 text-ink-2">
      {ADVICE[reason]}
      {hasSecrets && ' Passwords and codes are not shown again.'}
    </p>
  </div>
);

function RecoveredField({ id, field: [name, value] }: { id: string; field: Field }) {
  const isLine = value.length <= LINE_MAX && !value.includes('\n');
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
