import { SUGGEST } from '#app/routes/posts/params.ts';
import { Button } from '#app/ui/form/button.tsx';
import type { Field } from '#app/ui/form/field.tsx';
import { TextArea } from '#app/ui/form/form.tsx';
import { useSuggestion } from './use-alt-text-suggestion.ts';

/** What a picture shows, typed or suggested by the writer; `address` is that of the form. */
export function AltTextField({ field, address }: { field: Field; address: string }) {
  const to = `${address}&${SUGGEST}`;
  const { ask, isAsking, said } = useSuggestion(to);
  return (
    <div className="alt-text">
      <TextArea field={field} label="Picture description" hint="For people who cannot see it" rows={2} />
      <div className="mt-2 flex items-center gap-3">
        <Button
          type="submit"
          formAction={`${to}#${field.id}`}
          formNoValidate
          variant="secondary"
          size="sm"
          isBusy={isAsking}
          onClick={ask}
        >
          Suggest
          <span className="sr-only"> a picture description</span>
        </Button>
        <p role="status" className="min-w-0 flex-1 text-xs text-ink-3">
          {said}
        </p>
      </div>
    </div>
  );
}
